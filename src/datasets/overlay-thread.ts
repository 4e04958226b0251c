/** The thread of cli/commands/serve-command.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildOverlay } from './overlay-index.ts';

const { path, index } = workerData as { readonly path: string; readonly index: SharedArrayBuffer };
parentPort?.postMessage(await buildOverlay(path, index));
