/** The thread of `readIndexInThread`. It loads as little code as possible: a start may wait for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { readIndexFile } from '../../index-file/file.ts';

parentPort?.postMessage(readIndexFile(workerData as string));
