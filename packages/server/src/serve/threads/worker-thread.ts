/** The main thread's side of one worker thread. */
import type { Worker } from 'node:worker_threads';
import { KeyStoreError, type KeyUses } from 'toponym-access/keys/key-store';
import { IndexFormatError } from 'toponym-engine/index-file/open-index';
import { UsageError } from 'toponym-files/errors/errors';
import { SEARCH_LIMITS, startThread } from 'toponym-files/thread';
import { type ListenAddress, listenWithMode } from '../listen/listen-address.ts';
import type { Metric } from '../metrics/metric.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

export type Request = ToWorker & { readonly id: number };

interface WorkerEvents {
  readonly onKeysUsed: (uses: KeyUses) => void;
  readonly onRedisProblem: () => void;
  readonly onError: (error: unknown) => void;
  /** `livedMs` is undefined if the thread never listened. */
  readonly onExit: (livedMs: number | undefined) => void;
}

/** How long a reply may take. */
export interface ReplyTimes {
  /** After this time a missing reply is late. */
  readonly stepMs: number;
  /** Steps, not a time: a process that was suspended must not take its own pause for the thread's. */
  readonly maxSteps: number;
}

/** A thread that is silent for a minute serves nobody. */
export const REPLY_TIMES: ReplyTimes = { stepMs: 2000, maxSteps: 30 };

export class WorkerThread {
  /** Why the thread cannot use Redis; empty if it can. */
  redisProblem = '';
  /** The newest metrics that have arrived, even after their request gave up. */
  lastMetrics: readonly Metric[] = [];
  /** Version of the data that the thread has confirmed; undefined while new data is unconfirmed. */
  servedData: string | undefined;
  /** Number of new values, such as data and a certificate, that the thread has not confirmed in time. */
  lateReplies = 0;
  readonly #worker: Worker;
  readonly #port = Promise.withResolvers<number>(); // once resolved, it ignores rejections

  constructor(file: URL, { onKeysUsed, onRedisProblem, onError, onExit }: WorkerEvents) {
    const createdMs = performance.now();
    let hasListened = false;
    // prevents an unhandled rejection before `listen` is called
    this.#port.promise.catch(() => {});
    this.#worker = startThread(file, { limits: SEARCH_LIMITS, errors: [UsageError, KeyStoreError, IndexFormatError] });
    this.#worker.on('message', (message: FromWorker) => {
      if (message.type === 'keysUsed') onKeysUsed(message.uses);
      if (message.type === 'metrics') this.lastMetrics = message.metrics;
      if ('data' in message) this.servedData = message.data;
      if (message.type === 'redisProblem') {
        this.redisProblem = message.problem;
        onRedisProblem();
      }
      if (message.type === 'listenFailed') this.#port.reject(new UsageError(message.reason));
      if (message.type === 'listening') {
        hasListened = true;
        this.#port.resolve(message.port);
      }
    });
    this.#worker.on('error', (error) => {
      onError(error);
      this.#port.reject(error);
    });
    this.#worker.on('exit', (code) => {
      this.#port.reject(new Error(`a thread exited with code ${code} before it listened`));
      onExit(hasListened ? performance.now() - createdMs : undefined);
    });
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Resolves with the port (0 for a Unix socket) once the thread listens; rejects if it cannot. */
  listen(address: ListenAddress): Promise<number> {
    const listen = () => {
      this.post({ type: 'listen', address });
      return this.#port.promise;
    };
    return address.kind === 'unix' ? listenWithMode(address, listen) : listen();
  }

  /** Resolves with the reply; undefined if the thread exits or is too late. Calls `onLate` after a step without it. */
  request(message: Request, { stepMs, maxSteps }: ReplyTimes, onLate = () => {}): Promise<FromWorker | undefined> {
    const { promise, resolve } = Promise.withResolvers<FromWorker | undefined>();
    let isSettled = false;
    const settle = (reply?: FromWorker): void => {
      isSettled = true;
      clearInterval(timer);
      this.#worker.off('message', onMessage);
      this.#worker.off('exit', giveUp);
      resolve(reply);
    };
    const onMessage = (reply: FromWorker): void => {
      if ('id' in reply && reply.id === message.id) settle(reply);
    };
    const giveUp = (): void => settle();
    let steps = 0;
    const step = (): void => {
      if (isSettled) return;
      if (++steps === 1) onLate();
      if (steps === maxSteps) giveUp();
    };
    // replies that have arrived while this thread was busy are read before setImmediate
    const timer = setInterval(() => setImmediate(step), stepMs);
    this.#worker.on('message', onMessage);
    this.#worker.on('exit', giveUp);
    if (message.type === 'replace' && message.data !== undefined) this.servedData = undefined;
    this.post(message);
    return promise;
  }

  async exited(): Promise<void> {
    await new Promise((resolve) => this.#worker.once('exit', resolve));
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}
