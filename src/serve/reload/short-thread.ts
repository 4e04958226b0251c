/** Runs one task of a reload in a thread of its own, which can block, crash or hang. */
import { Worker } from 'node:worker_threads';

interface ThreadTask {
  readonly file: URL;
  /** The thread's `workerData`. */
  readonly data: unknown;
  /** No limit by default. */
  readonly limitMs?: number;
  /** By default the same limit as in worker-thread.ts. */
  readonly maxHeapMb?: number;
}

/** Returns the first message of the thread. Rejects if the thread fails, ends or takes too long. */
export async function runThread<T>({ file, data, limitMs, maxHeapMb = 512 }: ThreadTask): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const thread = new Worker(file, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
  thread.unref(); // a stopping service does not wait for the thread
  const giveUp = () => reject(new Error(`no result within ${(limitMs ?? 0) / 1000} s`));
  // a result that has arrived while this thread was busy is read before setImmediate
  const timer = limitMs === undefined ? undefined : setTimeout(() => setImmediate(giveUp), limitMs).unref();
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('the thread ended without a result')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
