/**
 * Searches new data in a separate thread before they are served. Checksums prove only that the
 * bytes are those that were written; data that make a search throw, hang or run out of memory end
 * that thread and nothing else.
 */
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../../errors/error-message.ts';
import type { ServedData } from '../threads/worker-messages.ts';
import type { TrialResult } from './trial-thread.ts';

export interface TrialOptions {
  readonly limitMs?: number;
  readonly threadFile?: URL;
}

const THREAD_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './trial-thread.ts' : './trial-thread.js',
  import.meta.url,
);
// the searches take 0.3 s with 200,000 places; the rest is for busy machines and larger indexes
const LIMIT_MS = 20_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512 };

/** Returns the version of the data. Throws if the searches fail or take too long. */
export async function trySearches(data: ServedData, options: TrialOptions = {}): Promise<string> {
  const { limitMs = LIMIT_MS, threadFile = THREAD_FILE } = options;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (reason: string): void => reject(new Error(`the data cannot be searched: ${reason}`));
  const thread = new Worker(threadFile, { workerData: data, resourceLimits: RESOURCE_LIMITS });
  // a stopping service does not wait for the trial
  thread.unref();
  const timer = setTimeout(() => fail(`the trial searches did not finish within ${limitMs / 1000} s`), limitMs).unref();
  thread.once('message', ({ version, failure }: TrialResult) => (failure === '' ? resolve(version) : fail(failure)));
  thread.once('error', (error) => fail(errorMessage(error)));
  thread.once('exit', () => fail('the trial searches ended their thread'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
