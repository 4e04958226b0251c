/**
 * The worker threads. The pool starts them, lets them share one port, replaces threads that exit,
 * and sends messages to all of them. Loading its code is the slowest part of a thread's start, so
 * threads are created before their data has been read.
 */
import type { KeyUses } from '../../access/keys/key-store.ts';
import type { ListenAddress } from '../listen/listen-address.ts';
import type { Logger } from '../log.ts';
import type { FromWorker, Reloadable, ToWorker, WorkerStart } from './worker-messages.ts';
import { WorkerThread } from './worker-thread.ts';

const WORKER_FILE = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;
// a thread that lived this long is considered stable, so the restart delay is reset
const STABLE_MS = 30_000;

export interface PoolStart {
  readonly start: WorkerStart;
  readonly address: ListenAddress;
}

export class WorkerPool {
  /** Called when a thread reports which keys were used. */
  onKeysUsed: (uses: KeyUses) => void = () => {};
  readonly #log: Logger;
  readonly #workerFile: URL;
  readonly #threads = new Set<WorkerThread>();
  /** Created but not started yet. */
  readonly #loading: WorkerThread[] = [];
  readonly #restarts = new Set<NodeJS.Timeout>();
  #start: PoolStart | undefined;
  #isStopping = false;
  #restartMs = MIN_RESTART_MS;
  #nextId = 1;

  constructor(log: Logger, workerFile: URL = WORKER_FILE) {
    this.#log = log;
    this.#workerFile = workerFile;
  }

  /** The address the service listens on; the first thread picks the port if it was 0. */
  get address(): ListenAddress {
    return this.#requireStarted().address;
  }

  /** Creates the threads, which begin to load their code. */
  load(threads: number): void {
    while (this.#loading.length < threads) this.#loading.push(this.#createThread());
  }

  /** Starts the loaded threads. Resolves when all of them listen. */
  async start({ start, address }: PoolStart): Promise<void> {
    const threads = this.#loading.splice(0);
    this.#start = { start, address };
    try {
      for (const thread of threads) thread.post({ type: 'start', ...start });
      const picksPort = address.kind === 'tcp' && address.port === 0;
      if (picksPort) {
        const port = await threads.shift()?.listen(address);
        if (port !== undefined) this.#start = { start, address: { ...address, port } };
      }
      await Promise.all(threads.map((thread) => thread.listen(this.address)));
    } catch (error) {
      await this.terminate();
      throw error;
    }
  }

  /**
   * Resolves when every thread has replaced these values; threads that start later get them too. If
   * a thread refuses them, all threads restore the old ones, and the refusal is thrown.
   */
  async reload(next: Partial<Reloadable>): Promise<void> {
    const before = this.#requireStarted();
    this.#start = { ...before, start: { ...before.start, ...next } };
    const replies = await this.#requestAll((id) => ({ type: 'reload', id, ...next }));
    const refusals = replies.flatMap((reply) => (reply.type === 'reloaded' ? [reply.refusal] : [])).filter(Boolean);
    if (refusals[0] === undefined) return;
    this.#start = before;
    const { data, tls } = before.start;
    await this.#requestAll((id) => ({ type: 'reload', id, ...(next.data && { data }), ...(next.tls && { tls }) }));
    throw new Error(refusals[0]);
  }

  /** One list of metrics per thread that replies in time. */
  async metrics(): Promise<object[][]> {
    const replies = await this.#requestAll((id) => ({ type: 'metrics', id }));
    return replies.flatMap((reply) => (reply.type === 'metrics' ? [reply.metrics] : []));
  }

  /**
   * Accepts connections for `graceMs`, then finishes running requests and aborts those that still
   * run after `limitMs`. Returns whether all requests finished.
   */
  async drain({ graceMs, limitMs }: { graceMs: number; limitMs: number }): Promise<boolean> {
    this.#stopRestarting();
    const exited = Promise.all([...this.#threads].map((thread) => thread.exited()));
    for (const thread of this.#threads) thread.post({ type: 'drain', graceMs });
    const { promise: limit, resolve } = Promise.withResolvers<'limit'>();
    const timer = setTimeout(() => resolve('limit'), graceMs + limitMs);
    const isComplete = (await Promise.race([exited, limit])) !== 'limit';
    clearTimeout(timer);
    await this.terminate();
    return isComplete;
  }

  async terminate(): Promise<void> {
    this.#stopRestarting();
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #stopRestarting(): void {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
  }

  /** Returns the replies of the threads that reply in time. */
  async #requestAll(createMessage: (id: number) => ToWorker & { readonly id: number }): Promise<FromWorker[]> {
    const id = this.#nextId++;
    const replies = await Promise.all([...this.#threads].map((thread) => thread.request(createMessage(id))));
    return replies.filter((reply) => reply !== undefined);
  }

  #requireStarted(): PoolStart {
    if (this.#start === undefined) throw new Error('the worker threads have not been started');
    return this.#start;
  }

  #createThread(): WorkerThread {
    const thread = new WorkerThread(this.#workerFile, {
      onKeysUsed: (uses) => this.onKeysUsed(uses),
      onError: (error) => this.#log.error({ err: error }, 'a thread failed'),
      onExit: (livedMs) => {
        this.#threads.delete(thread);
        if (livedMs !== undefined) this.#scheduleRestart(livedMs);
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  async #addThread(): Promise<void> {
    const thread = this.#createThread();
    const { start, address } = this.#requireStarted();
    thread.post({ type: 'start', ...start });
    await thread.listen(address);
  }

  #scheduleRestart(livedMs: number): void {
    if (this.#isStopping) return;
    if (livedMs > STABLE_MS) this.#restartMs = MIN_RESTART_MS;
    this.#log.error({ waitMs: this.#restartMs }, 'a thread exited and will be replaced');
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#addThread().catch(() => this.#scheduleRestart(0));
    }, this.#restartMs);
    this.#restarts.add(restart);
    this.#restartMs = Math.min(2 * this.#restartMs, MAX_RESTART_MS);
  }
}
