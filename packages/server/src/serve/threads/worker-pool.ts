/**
 * The worker threads: starts them, restarts those that exit, and sends messages to all of them.
 * Threads are created early, so that they load their code while the main thread reads the data.
 */

import type { KeyUses } from 'toponym-access/keys/key-store';
import type { WorkerKeys } from 'toponym-access/keys/service-keys';
import { threadFile } from 'toponym-files/thread';
import type { ListenAddress } from '../listen/listen-address.ts';
import type { Logger } from '../log.ts';
import { addCounters, type Metric } from '../metrics/metric.ts';
import type { FromWorker, ReplaceableValues, WorkerConfig } from './worker-messages.ts';
import { REPLY_TIMES, type ReplyTimes, type Request, WorkerThread } from './worker-thread.ts';

const WORKER_FILE = threadFile('./worker', import.meta.url);
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 10_000;
// the restart delay is reset if the thread lived longer
const STABLE_MS = 30_000;

export interface PoolConfig {
  readonly workerConfig: Omit<WorkerConfig, 'keys'>;
  /** Called for each thread that starts. */
  readonly keys: () => WorkerKeys;
  readonly address: ListenAddress;
}

export class WorkerPool {
  onKeysUsed: (uses: KeyUses) => void = () => {};
  /** Gets the problem of any thread; empty if all threads can use Redis. */
  onRedisProblem: (problem: string) => void = () => {};
  /** Gets the number of threads that have not confirmed new values in time; 0 when all have. */
  onLateThreads: (threads: number) => void = () => {};
  /** Threads started to replace others that exited. */
  restarts = 0;
  readonly #log: Logger;
  readonly #workerFile: URL;
  readonly #replyTimes: ReplyTimes;
  readonly #threads = new Set<WorkerThread>();
  /** A subset of `#threads`. */
  readonly #unstarted: WorkerThread[] = [];
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  #exitedCounters: readonly Metric[] = [];
  #config: PoolConfig | undefined;
  #isStopping = false;
  #restartDelayMs = MIN_RESTART_DELAY_MS;
  #nextMessageId = 1;

  constructor(log: Logger, workerFile: URL = WORKER_FILE, replyTimes: ReplyTimes = REPLY_TIMES) {
    this.#log = log;
    this.#workerFile = workerFile;
    this.#replyTimes = replyTimes;
  }

  /** The address with the real port, even if port 0 was requested. */
  get address(): ListenAddress {
    return this.#requireConfig().address;
  }

  createThreads(count: number): void {
    while (this.#unstarted.length < count) this.#unstarted.push(this.#createThread());
  }

  /** Starts the created threads. Resolves when all of them listen. */
  async start({ workerConfig, keys, address }: PoolConfig): Promise<void> {
    const threads = this.#unstarted.splice(0);
    this.#config = { workerConfig, keys, address };
    try {
      for (const thread of threads) thread.post({ type: 'start', ...workerConfig, keys: keys() });
      if (address.kind === 'tcp' && address.port === 0) {
        // the first thread gets any free port, which the others then share
        const port = await threads.shift()?.listen(address);
        if (port !== undefined) this.#config = { workerConfig, keys, address: { ...address, port } };
      }
      await Promise.all(threads.map((thread) => thread.listen(this.address)));
    } catch (error) {
      await this.terminate();
      throw error;
    }
  }

  /**
   * Sends new values to all threads, also to those that start later. Resolves when every thread serves
   * them, with the old values. If one refuses them, all get the old values back, and this function throws.
   */
  async replaceValues<Key extends 'data' | 'tls' | 'ipDatabases'>(
    next: Pick<ReplaceableValues, Key>,
  ): Promise<Pick<ReplaceableValues, Key>> {
    const { workerConfig } = this.#requireConfig();
    const oldValues = Object.fromEntries(Object.keys(next).map((key) => [key, workerConfig[key as Key]]));
    this.#changeConfig(next);
    const refusal = await this.#confirmAll(next);
    if (refusal === undefined) return oldValues as Pick<ReplaceableValues, Key>;
    this.#changeConfig(oldValues);
    await this.#confirmAll(oldValues);
    throw new Error(refusal);
  }

  /** Sends values that no thread refuses to all threads, also to those that start later. Waits for no late thread. */
  async share(values: Partial<Pick<ReplaceableValues, 'notice' | 'borders'>>): Promise<void> {
    this.#changeConfig(values);
    await this.#requestAll((id) => ({ type: 'replace', id, ...values }));
  }

  /** Version of the data that each thread serves; `unknown` until a thread has confirmed new data. */
  servedData(): string[] {
    return [...this.#threads].map(({ servedData }) => servedData ?? 'unknown');
  }

  /**
   * One list per thread, the last known one if it is late, and the counters of exited threads, so that
   * counters never fall.
   */
  async metrics(): Promise<(readonly Metric[])[]> {
    if (this.#config === undefined) return [];
    await this.#requestAll((id) => ({ type: 'metrics', id }));
    const lists = [this.#exitedCounters, ...[...this.#threads].map(({ lastMetrics }) => lastMetrics)];
    return lists.filter((list) => list.length > 0);
  }

  /** Whether at least one thread replies in time. Does not wait for the others. */
  async isAnswering(): Promise<boolean> {
    const id = this.#nextMessageId++;
    const replies = [...this.#threads].map(async (thread) => {
      const reply = await thread.request({ type: 'metrics', id }, this.#oneStep());
      if (reply === undefined) throw new Error('no reply');
    });
    return await Promise.any(replies).then(
      () => true,
      () => false,
    );
  }

  /** Threads accept connections for `graceMs`, then have `limitMs` for running requests. Returns whether all finished. */
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
    for (const timer of this.#restartTimers) clearTimeout(timer);
  }

  async #requestAll(createMessage: (id: number) => Request): Promise<void> {
    const message = createMessage(this.#nextMessageId++);
    await Promise.all([...this.#threads].map((thread) => thread.request(message, this.#oneStep())));
  }

  #oneStep(): ReplyTimes {
    return { ...this.#replyTimes, maxSteps: 1 };
  }

  /**
   * Resolves when it is known of every thread whether it serves the values, with the reason of a refusal. A thread
   * that never replies is replaced by one that starts with them.
   */
  async #confirmAll(values: Partial<ReplaceableValues>): Promise<string | undefined> {
    const id = this.#nextMessageId++;
    const confirm = async (thread: WorkerThread): Promise<FromWorker | undefined> => {
      let isLate = false;
      const reply = await thread.request({ type: 'replace', id, ...values }, this.#replyTimes, () => {
        isLate = true;
        this.#log.warn('a thread has not confirmed the new files yet: it may still serve the old ones');
        this.#addLateReplies(thread, 1);
      });
      if (reply === undefined && this.#threads.has(thread)) {
        this.#log.error('a thread did not reply and is replaced');
        await thread.terminate();
      }
      if (isLate) this.#addLateReplies(thread, -1);
      return reply;
    };
    const replies = await Promise.all([...this.#threads].map(confirm));
    return replies.find((reply) => reply?.type === 'refused')?.reason;
  }

  #addLateReplies(thread: WorkerThread, replies: number): void {
    thread.lateReplies += replies;
    this.onLateThreads([...this.#threads].filter(({ lateReplies }) => lateReplies > 0).length);
  }

  #requireConfig(): PoolConfig {
    if (this.#config === undefined) throw new Error('the worker threads have not been started');
    return this.#config;
  }

  /** Affects only threads that start later. */
  #changeConfig(values: Partial<ReplaceableValues>): void {
    const config = this.#requireConfig();
    this.#config = { ...config, workerConfig: { ...config.workerConfig, ...values } };
  }

  #createThread(): WorkerThread {
    const thread = new WorkerThread(this.#workerFile, {
      onKeysUsed: (uses) => this.onKeysUsed(uses),
      onRedisProblem: () => this.#reportRedisProblem(),
      onError: (error) => this.#log.error({ err: error }, 'a thread failed'),
      onExit: (livedMs) => {
        this.#threads.delete(thread);
        this.#exitedCounters = addCounters(this.#exitedCounters, thread.lastMetrics);
        if (!this.#isStopping) this.#reportRedisProblem();
        // the caller of `listen` handles a thread that never listened
        if (livedMs === undefined) return;
        if (livedMs > STABLE_MS) this.#restartDelayMs = MIN_RESTART_DELAY_MS;
        this.#scheduleRestart();
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  #reportRedisProblem(): void {
    const problems = [...this.#threads].map(({ redisProblem }) => redisProblem);
    this.onRedisProblem(problems.find(Boolean) ?? '');
  }

  async #restartThread(): Promise<void> {
    this.restarts++;
    const thread = this.#createThread();
    const { workerConfig, keys, address } = this.#requireConfig();
    thread.post({ type: 'start', ...workerConfig, keys: keys() });
    await thread.listen(address);
  }

  #scheduleRestart(): void {
    if (this.#isStopping) return;
    this.#log.error({ waitMs: this.#restartDelayMs }, 'a thread exited and will be replaced');
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer);
      this.#restartThread().catch(() => this.#scheduleRestart());
    }, this.#restartDelayMs);
    this.#restartTimers.add(timer);
    this.#restartDelayMs = Math.min(2 * this.#restartDelayMs, MAX_RESTART_DELAY_MS);
  }
}
