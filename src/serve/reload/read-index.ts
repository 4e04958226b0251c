/**
 * Reads and verifies an index file in a thread of its own. Both take 2 ms per MB or more,
 * and the main thread meanwhile answers health checks and signals.
 */
import { extname } from 'node:path';
import { runThread } from './short-thread.ts';

// .ts in a clone, .js in the published package
const THREAD_FILE = new URL(`./read-index-thread${extname(import.meta.url)}`, import.meta.url);

/** Rejects as `readIndexFile` throws, but with a plain Error. */
export async function readIndexInThread(path: string): Promise<SharedArrayBuffer> {
  return await runThread<SharedArrayBuffer>({ file: THREAD_FILE, data: path });
}
