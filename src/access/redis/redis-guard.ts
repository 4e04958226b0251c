/**
 * A guard around one part of Redis. Nobody waits longer than `MAX_WAIT_MS` for that part. After a
 * failure nobody asks that part at all, and the guard probes it until it works again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../../errors/error-message.ts';
import { growingDelayMs } from './growing-delay.ts';

/** Callers promise their clients an answer within 50 ms, so this leaves time for the rest. */
const MAX_WAIT_MS = 40;
const PROBE_INTERVAL = { minMs: 100, maxMs: 2_000 };
/** Probes in a row that fail before the connection is replaced. */
const PROBES_BEFORE_RENEWAL = 4;

export interface GuardSteps {
  /** Resolves if this part of Redis works. */
  readonly probe: () => Promise<unknown>;
  /** Replaces the connection. */
  readonly renew: () => void;
  /** Called when `problem` becomes empty or not empty. */
  readonly onChange: () => void;
}

export class RedisGuard {
  readonly #steps: GuardSteps;
  #problem = '';
  #isAsked = true;
  #isClosed = false;

  constructor(steps: GuardSteps) {
    this.#steps = steps;
  }

  /** Why this part of Redis does not work; empty if it works. */
  get problem(): string {
    return this.#problem;
  }

  /** Returns undefined if this part of Redis does not work, or does not answer in time. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isAsked) return undefined;
    const reply = work();
    try {
      return await inTime(reply);
    } catch (error) {
      this.#isAsked = false;
      this.report(errorMessage(error));
      // a reply that is only late shows that this part works
      reply.then(() => this.#recover()).catch(() => {});
      return undefined;
    }
  }

  /** Notes a problem. If it came with a reply, this part of Redis is still asked. */
  report(problem: string): void {
    const isNew = this.#problem === '';
    this.#problem = problem;
    if (!isNew) return;
    this.#steps.onChange();
    void this.#probeUntilItWorks();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #probeUntilItWorks(): Promise<void> {
    for (let failures = 0; !this.#isClosed; failures++) {
      await pause(growingDelayMs(failures, PROBE_INTERVAL), undefined, { ref: false });
      if (this.#problem === '') return;
      try {
        await inTime(this.#steps.probe());
        break;
      } catch (error) {
        this.#problem = errorMessage(error);
        if ((failures + 1) % PROBES_BEFORE_RENEWAL === 0) this.#steps.renew();
      }
    }
    this.#recover();
  }

  #recover(): void {
    if (this.#problem === '') return;
    this.#isAsked = true;
    this.#problem = '';
    this.#steps.onChange();
  }
}

/** Rejects if `reply` does not settle in time. */
async function inTime<T>(reply: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error(`no reply within ${MAX_WAIT_MS} ms`));
  // after a pause of this process, a reply that has arrived meanwhile is read before setImmediate
  const timer = setTimeout(() => setImmediate(giveUp), MAX_WAIT_MS);
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}
