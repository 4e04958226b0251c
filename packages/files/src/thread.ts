/**
 * Threads, started from a module beside the caller's, and typed tasks for them: such a module gives a function to
 * `serveTasks`, and the caller imports only its type.
 */
import * as nodeModule from 'node:module';
import { dirname, extname } from 'node:path';
import { parentPort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

/**
 * Limits of a thread that searches. Young generation: 16 MB took more memory at the same throughput, and 6 MB cost
 * 7% throughput. Old generation: V8 lets the heap grow to 1.6 times the live memory, or 4 times without a limit.
 */
export const SEARCH_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };

/** The module `name` beside the caller's, whose `import.meta.url` is `base`. */
export function threadFile(name: string, base: string): URL {
  return new URL(`${name}${extname(import.meta.url)}`, base); // .ts in a clone, .js in the published package
}

type ErrorClass = abstract new (...args: never) => Error;

interface StartOptions {
  readonly workerData?: unknown;
  /** No limits by default. */
  readonly limits?: ResourceLimits;
  /** Classes of errors that the thread may end with. */
  readonly errors?: readonly ErrorClass[];
}

/** The thread uses the compile cache of this one. */
export function startThread(file: URL, { workerData, limits = {}, errors = [] }: StartOptions = {}): Worker {
  const thread = new Worker(file, { workerData, env: withCompileCache(), resourceLimits: limits });
  thread.on('error', (error) => restoreClasses(error, errors)); // before the listeners of the caller
  return thread;
}

/** The environment of this process, with its compile cache. */
export function withCompileCache(): NodeJS.ProcessEnv {
  const folder = nodeModule.getCompileCacheDir?.(); // a subfolder of NODE_COMPILE_CACHE; Deno and Bun have none
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** An error from another thread has its name, message, cause and other fields, but not its class. */
export function restoreClasses(error: unknown, classes: readonly ErrorClass[]): void {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { name } = each;
    const original = classes.find((errorClass) => errorClass.name === name);
    if (original !== undefined) Object.setPrototypeOf(each, original.prototype);
  }
}

/** What a thread does with an input, and the progress that it reports meanwhile. */
export type Task = (input: never, onProgress: never) => unknown;
export type Result<T extends Task> = Awaited<ReturnType<T>>;
export type Progress<T extends Task> = Parameters<T>[1] extends (progress: infer P) => void ? P : never;

interface ThreadOptions<T extends Task> extends StartOptions {
  readonly onProgress?: (progress: Progress<T>) => void;
}

/** A thread that calls `serveTasks`. */
export class Thread<T extends Task> {
  readonly worker: Worker;
  /** Why there will be no more results; undefined while the thread runs. */
  failure: unknown;
  /** Those without a result yet, oldest first. */
  readonly #waiting: PromiseWithResolvers<Result<T>>[] = [];

  constructor(file: URL, options: ThreadOptions<T> = {}) {
    this.worker = startThread(file, options);
    this.worker.on('message', (message: { progress: Progress<T> } | { result: Result<T> }) => {
      if ('result' in message) this.#waiting.shift()?.resolve(message.result);
      else options.onProgress?.(message.progress);
    });
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new Error('the thread ended without a result')));
  }

  /** Rejects with the error that ends the thread. Only synchronous tasks may be given before the last result is there. */
  run(input: Parameters<T>[0]): Promise<Result<T>> {
    const waiting = Promise.withResolvers<Result<T>>();
    waiting.promise.catch(() => {}); // the thread may fail before anyone waits for the result
    this.#waiting.push(waiting);
    if (this.failure === undefined) this.worker.postMessage(input);
    else this.fail(this.failure);
    return waiting.promise;
  }

  fail(reason: unknown): void {
    this.failure ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }

  /** Tasks without a result then never settle. */
  async terminate(): Promise<void> {
    this.#waiting.length = 0;
    await this.worker.terminate();
  }
}

export interface JobOptions<T extends Task> extends ThreadOptions<T> {
  /** Ends the thread. */
  readonly signal?: AbortSignal | undefined;
  /** Called once `signal` has ended the thread. */
  readonly onAborted?: (threadId: number) => void;
  /** No limit by default. */
  readonly limitMs?: number;
  /** Whether the process may end before the task. */
  readonly isUnref?: boolean;
}

/** Runs one task in a thread of its own. Rejects if it fails, ends early, takes too long or is aborted. */
export async function runInThread<T extends Task>(
  file: URL,
  input: Parameters<T>[0],
  options: JobOptions<T> = {},
): Promise<Result<T>> {
  const { signal, onAborted, limitMs = 0, isUnref = false } = options;
  signal?.throwIfAborted();
  const thread = new Thread<T>(file, options);
  if (isUnref) thread.worker.unref();
  const { threadId } = thread.worker; // -1 after the thread has ended
  const stop = () => thread.fail(signal?.reason);
  signal?.addEventListener('abort', stop);
  const giveUp = () => thread.fail(new Error(`no result within ${limitMs / 1000} s`));
  // a result that has arrived while this thread was busy is read before setImmediate
  const timer = limitMs > 0 ? setTimeout(() => setImmediate(giveUp), limitMs).unref() : undefined;
  try {
    return await thread.run(input);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await thread.terminate();
    if (signal?.aborted) onAborted?.(threadId);
  }
}

/** The thread's side. What `task` throws ends the thread. `listTransferred` lists buffers of the result. */
export function serveTasks<In, Out, P>(
  task: (input: In, onProgress: (progress: P) => void) => Out | Promise<Out>,
  listTransferred: (result: Out) => Transferable[] = () => [],
): void {
  parentPort?.on('message', async (input: In) => {
    parentPort?.unref(); // the thread ends if the task waits for something that never comes
    const result = await task(input, (progress) => parentPort?.postMessage({ progress }));
    parentPort?.postMessage({ result }, listTransferred(result));
    parentPort?.ref();
  });
}
