/**
 * Searches new data before they are served, because checksums do not show that an index was built
 * wrongly. A separate thread runs the searches, because a bad index can make them crash or hang.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../../errors/error-message.ts';
import type { ServedData } from '../threads/worker-messages.ts';

// .ts in a clone, .js in the published package
const THREAD_FILE = new URL(`./trial-thread${extname(import.meta.url)}`, import.meta.url);
// the searches take 0.3 s with 200,000 places
const LIMIT_MS = 20_000;
// the same limit as in worker-thread.ts
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512 };

/** Returns the version of the data. Throws if a search fails or takes too long. */
export async function trySearches(
  data: ServedData,
  { limitMs = LIMIT_MS, threadFile = THREAD_FILE } = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (reason: string): void => reject(new Error(`the data cannot be searched: ${reason}`));
  const thread = new Worker(threadFile, { workerData: data, resourceLimits: RESOURCE_LIMITS });
  thread.unref(); // a stopping service does not wait for the trial
  const timer = setTimeout(() => fail(`the trial searches did not finish within ${limitMs / 1000} s`), limitMs).unref();
  thread.once('message', resolve);
  thread.once('error', (error) => fail(errorMessage(error)));
  thread.once('exit', () => fail('the trial searches ended their thread'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
