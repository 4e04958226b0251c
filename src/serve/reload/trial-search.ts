/**
 * Searches new data before they are served, because a file with correct checksums may still have
 * been built wrongly. The searches run in a separate thread: if one throws, hangs or runs out of
 * memory, only that thread ends.
 */
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../../errors/error-message.ts';
import type { ServedData } from '../threads/worker-messages.ts';

const THREAD_FILE = new URL('./trial-thread.ts', import.meta.url);
// the searches take 0.3 s with 200,000 places, but more on busy machines and in larger indexes
const LIMIT_MS = 20_000;
// the same limit as for the threads that serve (worker-thread.ts)
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512 };

/** Returns the version of the data, if all searches work. Throws if one fails or takes too long. */
export async function trySearches(
  data: ServedData,
  { limitMs = LIMIT_MS, threadFile = THREAD_FILE } = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (reason: string): void => reject(new Error(`the data cannot be searched: ${reason}`));
  const thread = new Worker(threadFile, { workerData: data, resourceLimits: RESOURCE_LIMITS });
  // a stopping service does not wait for the trial
  thread.unref();
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
