/**
 * Tries new data before they are served: a thread of its own searches them. Checksums prove only that the bytes are those
 * that were written; data that make a search throw, hang or run out of memory cost that thread and nothing else.
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
// the searches take 0.3 s over 200,000 places; the rest is for busy machines and much larger indexes
const LIMIT_MS = 20_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512 };

/** Returns the version of the data. Throws if the searches do not end well and in time. */
export async function trySearches(data: ServedData, options: TrialOptions = {}): Promise<string> {
  const { limitMs = LIMIT_MS, threadFile = THREAD_FILE } = options;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (reason: string): void => reject(new Error(`the data were tried and cannot be searched: ${reason}`));
  const thread = new Worker(threadFile, { workerData: data, resourceLimits: RESOURCE_LIMITS });
  // a service that stops does not wait for a trial
  thread.unref();
  const timer = setTimeout(() => fail(`the searches had not ended after ${limitMs / 1000} s`), limitMs).unref();
  thread.once('message', ({ version, failure }: TrialResult) => (failure === '' ? resolve(version) : fail(failure)));
  thread.once('error', (error) => fail(errorMessage(error)));
  thread.once('exit', () => fail('the searches ended the thread'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
