/** Worker thread that builds the embedded index, so that its gigabyte of memory is freed. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildIndex } from '../build/build-index.ts';
import { writeIndexFile } from '../index-file/file.ts';
import { openEmbedded } from '../sources/embedded.ts';

const { chunks } = await buildIndex(openEmbedded(), (progress) => parentPort?.postMessage(progress));
writeIndexFile(workerData as string, chunks);
