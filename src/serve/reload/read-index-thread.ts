/** The thread of read-index.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { readIndexFile } from '../../index-file/file.ts';

parentPort?.postMessage(readIndexFile(workerData as string));
