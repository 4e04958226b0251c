/** Worker thread that builds the embedded index, so that its gigabyte of memory is freed. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildIndex } from '../build/build-index.ts';
import { writeIndexFile } from '../index-file/file.ts';
import { releaseHeap } from '../release-heap.ts';
import { openEmbedded } from '../sources/embedded/embedded.ts';

const gazetteer = openEmbedded();
releaseHeap(); // the join has taken much memory
const { chunks } = await buildIndex(gazetteer, (progress) => parentPort?.postMessage(progress));
writeIndexFile(workerData as string, chunks);
