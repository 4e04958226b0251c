/** The thread of `readIndexInThread`. It loads as little code as possible. */
import { parentPort, workerData } from 'node:worker_threads';
import { readIndexFile } from '../../index-file/file.ts';

parentPort?.postMessage(readIndexFile(workerData as string));
