/**
 * Tasks in a process of their own, for work that takes much memory in a process that runs for long: the C library keeps
 * 130 MB of what a thread had to build the index of the embedded data.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  type JobOptions,
  type Progress,
  type Result,
  restoreClasses,
  type Task,
  threadFile,
  withCompileCache,
} from './thread.ts';

const MAIN_FILE = fileURLToPath(threadFile('./process-main', import.meta.url));

/** What the process is told: a module that calls `serveTasks`, and its input. */
export interface ProcessTask {
  readonly file: string;
  readonly input: unknown;
}

export type FromProcess<Result = unknown, Progress = unknown> =
  | { readonly progress: Progress }
  | { readonly result: Result }
  | { readonly error: SentError };

/** An error as data: of its own classes, the messages between processes keep only the message. */
export interface SentError {
  readonly message: string;
  readonly cause: SentError | undefined;
  /** The name, the stack, the code and path of an error of the system, and so on. */
  readonly fields: object;
}

/** Like `runInThread`. Input, progress and result are copied. */
export async function runInProcess<T extends Task>(
  file: URL,
  input: Parameters<T>[0],
  { onProgress, signal, errors = [] }: Pick<JobOptions<T>, 'onProgress' | 'signal' | 'errors'> = {},
): Promise<Result<T>> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Result<T>>();
  const child = fork(MAIN_FILE, {
    env: withCompileCache(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (message: FromProcess<Result<T>, Progress<T>>) => {
    if ('progress' in message) onProgress?.(message.progress);
    else if ('result' in message) resolve(message.result);
    else reject(receivedError(message.error));
  });
  child.on('error', reject);
  child.on('exit', () => reject(new Error('the process ended without a result')));
  const stop = () => reject(signal?.reason);
  signal?.addEventListener('abort', stop);
  const task: ProcessTask = { file: file.href, input };
  child.send(task);
  try {
    return await promise;
  } catch (error) {
    restoreClasses(error, errors);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    if (child.kill('SIGKILL')) await once(child, 'exit'); // false if it has ended, or did not start
  }
}

function receivedError({ message, cause, fields }: SentError): Error {
  return Object.assign(new Error(message), fields, cause && { cause: receivedError(cause) });
}
