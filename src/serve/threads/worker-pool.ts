/**
 * The threads that answer. Starts them, joins them on one port, replaces one that dies, and speaks to all of them.
 * A thread takes longer to load its code than to do anything else, so threads can be made before there is anything to
 * give them: what they answer from is read meanwhile.
 */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { KeyUses } from '../../access/keys/key-store.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { ListenAddress } from '../listen/listen-address.ts';
import { listenPrivately } from '../listen/socket-mode.ts';
import type { Logger } from '../log.ts';
import type { FromWorker, Reloadable, ToWorker, WorkerStart } from './worker-messages.ts';

const WORKER_FILE = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
const FIRST_RESTART_MS = 100;
const LONGEST_RESTART_MS = 10_000;
// a thread that lived this long did not die of its start: the next wait is short again
const STABLE_MS = 30_000;
// what a request leaves behind is soon dead: with 16 MB of room for it two threads held 9 MB more after 200 calls and answered
// as many requests a second (within 5%, either way); with 6 MB, 8 MB less and 7% fewer.
// The less a heap may grow, the sooner it is collected: at 512 MB when it is 1.6 times what is alive, some 50 MB, without a limit at 4 times
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };
// a thread busy for longer than this is not waited for
const ANSWER_TIMEOUT_MS = 2_000;

export interface PoolStart {
  readonly start: WorkerStart;
  readonly address: ListenAddress;
}

interface Thread {
  readonly worker: Worker;
  /** The port, once it listens. */
  readonly listening: Promise<number>;
}

export class WorkerPool {
  /** Called with what a thread reports about the keys it has seen. */
  onKeysUsed: (uses: KeyUses) => void = () => {};
  readonly #log: Logger;
  readonly #workerFile: URL;
  readonly #workers = new Set<Worker>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** Made, and not started yet. */
  readonly #loading: Thread[] = [];
  #start: PoolStart | undefined;
  #isStopping = false;
  #restartMs = FIRST_RESTART_MS;
  #nextId = 1;

  constructor(log: Logger, workerFile: URL = WORKER_FILE) {
    this.#log = log;
    this.#workerFile = workerFile;
  }

  /** Where the service listens: the first thread picks the port if it was 0. */
  get address(): ListenAddress {
    return this.#started().address;
  }

  /** Makes the threads, which begin to load their code. */
  load(threads: number): void {
    while (this.#loading.length < threads) this.#loading.push(this.#makeThread());
  }

  /** Starts the threads that were made. Resolves when all of them listen. */
  async start({ start, address }: PoolStart): Promise<void> {
    const threads = this.#loading.splice(0);
    this.#start = { start, address };
    try {
      for (const thread of threads) post(thread, { type: 'start', ...start });
      const picksPort = address.kind === 'tcp' && address.port === 0;
      if (picksPort) {
        const first = threads.shift();
        const port = first && (await listen(first, address));
        if (port !== undefined) this.#start = { start, address: { ...address, port } };
      }
      await Promise.all(threads.map((thread) => listen(thread, this.address)));
    } catch (error) {
      await this.terminate();
      throw error;
    }
  }

  /**
   * Resolves when every thread has taken it up. Also reaches threads that start later. If a thread refuses it, all go
   * back to what they had, and the refusal is thrown.
   */
  async reload(next: Partial<Reloadable>): Promise<void> {
    const before = this.#started();
    this.#start = { ...before, start: { ...before.start, ...next } };
    const answers = await this.#askAll((id) => ({ type: 'reload', id, ...next }));
    const refusals = answers.flatMap((answer) => (answer.type === 'reloaded' ? [answer.refusal] : [])).filter(Boolean);
    if (refusals[0] === undefined) return;
    this.#start = before;
    const { data, tls } = before.start;
    await this.#askAll((id) => ({ type: 'reload', id, ...(next.data && { data }), ...(next.tls && { tls }) }));
    throw new Error(refusals[0]);
  }

  /** One list of metrics for each thread that answers in time. */
  async metrics(): Promise<object[][]> {
    const answers = await this.#askAll((id) => ({ type: 'metrics', id }));
    return answers.flatMap((answer) => (answer.type === 'metrics' ? [answer.metrics] : []));
  }

  /**
   * Goes on accepting for `graceMs`, then finishes running requests; what still runs `limitMs` later is cut. True when
   * nothing had to be.
   */
  async drain({ graceMs, limitMs }: { graceMs: number; limitMs: number }): Promise<boolean> {
    this.#stopRestarting();
    const ended = Promise.all(
      [...this.#workers].map((worker) => new Promise((resolve) => worker.once('exit', resolve))),
    );
    for (const worker of this.#workers) worker.postMessage({ type: 'drain', graceMs } satisfies ToWorker);
    const { promise: limit, resolve } = Promise.withResolvers<'limit'>();
    const timer = setTimeout(() => resolve('limit'), graceMs + limitMs);
    const isWhole = (await Promise.race([ended, limit])) !== 'limit';
    clearTimeout(timer);
    await this.terminate();
    return isWhole;
  }

  async terminate(): Promise<void> {
    this.#stopRestarting();
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #stopRestarting(): void {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
  }

  /** The answers of all threads that give one in time. */
  async #askAll(question: (id: number) => ToWorker): Promise<FromWorker[]> {
    const id = this.#nextId++;
    const answers = [...this.#workers].map((worker) => answerOf(worker, id));
    for (const worker of this.#workers) worker.postMessage(question(id));
    return (await Promise.all(answers)).filter((answer) => answer !== undefined);
  }

  #started(): PoolStart {
    if (this.#start === undefined) throw new Error('the threads have not been started');
    return this.#start;
  }

  #makeThread(): Thread {
    const startedMs = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    // told when it is waited for; until then nobody listens
    promise.catch(() => {});
    const worker = new Worker(this.#workerFile, { env: threadEnvironment(), resourceLimits: RESOURCE_LIMITS });
    let isListening = false;
    this.#workers.add(worker);
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'keysUsed') this.onKeysUsed(message.uses);
      if (message.type === 'refused') reject(new UsageError(message.message));
      if (message.type !== 'listening') return;
      isListening = true;
      resolve(message.port);
    });
    worker.on('error', (error) => {
      this.#log.error({ err: error }, 'a thread failed');
      reject(error);
    });
    worker.on('exit', (code) => {
      this.#workers.delete(worker);
      reject(new Error(`a thread ended with code ${code} before it listened`));
      if (isListening) this.#replace(performance.now() - startedMs);
    });
    return { worker, listening: promise };
  }

  async #addThread(): Promise<void> {
    const thread = this.#makeThread();
    const { start, address } = this.#started();
    post(thread, { type: 'start', ...start });
    await listen(thread, address);
  }

  #replace(livedMs: number): void {
    if (this.#isStopping) return;
    if (livedMs > STABLE_MS) this.#restartMs = FIRST_RESTART_MS;
    this.#log.error({ waitMs: this.#restartMs }, 'a thread ended; another takes its place');
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#addThread().catch(() => this.#replace(0));
    }, this.#restartMs);
    this.#restarts.add(restart);
    this.#restartMs = Math.min(2 * this.#restartMs, LONGEST_RESTART_MS);
  }
}

function post({ worker }: Thread, message: ToWorker): void {
  worker.postMessage(message);
}

/** Resolves with the port once the thread listens. */
function listen(thread: Thread, address: ListenAddress): Promise<number> {
  const ask = () => {
    post(thread, { type: 'listen', address });
    return thread.listening;
  };
  return address.kind === 'unix' ? listenPrivately(address, ask) : ask();
}

/** Compiled code that the main thread keeps is used in the others only where their environment names its folder. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** Undefined when the worker ends or says nothing in time. */
function answerOf(worker: Worker, id: number): Promise<FromWorker | undefined> {
  const { promise, resolve } = Promise.withResolvers<FromWorker | undefined>();
  const give = (message?: FromWorker): void => {
    clearTimeout(timer);
    worker.off('message', onMessage);
    worker.off('exit', onExit);
    resolve(message);
  };
  const onMessage = (message: FromWorker): void => {
    if ('id' in message && message.id === id) give(message);
  };
  const onExit = (): void => give();
  const timer = setTimeout(onExit, ANSWER_TIMEOUT_MS);
  worker.on('message', onMessage);
  worker.on('exit', onExit);
  return promise;
}
