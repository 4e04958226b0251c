/**
 * Builds the index of the embedded data in a thread of its own: most of the gigabyte it needs is free again when it ends,
 * while a server that built it itself would keep it. Started by embedded-index.ts; `workerData` is the file to write.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { buildIndex } from '../build/build-index.ts';
import { writeIndexFile } from '../index-file/file.ts';
import { openEmbedded } from '../sources/embedded.ts';

const { bytes } = await buildIndex(openEmbedded(), (step) => parentPort?.postMessage(step));
writeIndexFile(workerData as string, bytes);
