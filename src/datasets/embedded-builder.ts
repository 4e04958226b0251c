/**
 * Worker thread that builds the index of the embedded data; `workerData` is the file to write.
 * The build needs a gigabyte of memory, most of which the system gets back when the thread ends.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { buildIndex } from '../build/build-index.ts';
import { writeIndexFile } from '../index-file/file.ts';
import { openEmbedded } from '../sources/embedded.ts';

const { chunks } = await buildIndex(openEmbedded(), (progress) => parentPort?.postMessage(progress));
writeIndexFile(workerData as string, chunks);
