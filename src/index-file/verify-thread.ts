/** The other thread of `verifyIndex`. */
import { workerData } from 'node:worker_threads';
import { type SharedChecks, verifyFromEnd } from './verify-index.ts';

verifyFromEnd(workerData as SharedChecks);
