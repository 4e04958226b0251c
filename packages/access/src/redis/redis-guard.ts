/**
 * A guard around one part of Redis. Nobody waits for that part longer than `REDIS_WAIT_MS`, in a busy
 * thread `MAX_BUSY_WAIT_MS`. After a problem, the guard probes that part until it works. If there was
 * no reply, nobody asks that part until there is one.
 */
import { errorMessage } from 'toponym-files/errors/errors';

/** Callers decide within 50 ms if the thread is not busy, so this leaves time for the rest. */
const REDIS_WAIT_MS = 40;
const STEP_MS = 10;
/** A thread that works longer than this within a step is busy. Time in which it waits does not count. */
const MAX_ACTIVE_MS = 5;
/** A busy thread waits no longer than this. Calls that have waited for 500 ms would be refused. */
const MAX_BUSY_WAIT_MS = 300;
const PROBE_INTERVAL = { minMs: 100, maxMs: 2_000 };
/** Probes in a row without a reply before the connection is replaced. */
const PROBES_BEFORE_RENEWAL = 4;

/** Redis did not reply: it was too late, or there is no connection. An error reply is no such error. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';
}

interface GuardSteps {
  /** Resolves if this part of Redis works. Rejects with NoReplyError if there is no connection. */
  readonly probe: () => Promise<unknown>;
  /** Replaces the connection. */
  readonly renew: () => void;
  /** Called when `problem` becomes empty or not empty. */
  readonly onChange: () => void;
}

/** The time from a problem until this part of Redis works again. */
interface Outage {
  problem: string;
  probes: number;
  /** The latest probes in a row that got no reply. */
  probesWithoutReply: number;
}

export class RedisGuard {
  readonly #steps: GuardSteps;
  #outage: Outage | undefined;
  #isInUse = true;
  #trustsLateReply = true;
  #isClosed = false;

  constructor(steps: GuardSteps) {
    this.#steps = steps;
  }

  /** Why this part of Redis does not work; empty if it works. */
  get problem(): string {
    return this.#outage?.problem ?? '';
  }

  /** Whether the next attempt will ask Redis. */
  get isInUse(): boolean {
    return this.#isInUse;
  }

  /** Returns undefined if this part of Redis does not work, or does not answer in time. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isInUse) return undefined;
    const reply = work();
    try {
      const result = await inTime(reply);
      this.#trustsLateReply = true;
      return result;
    } catch (error) {
      if (error instanceof NoReplyError) {
        this.#isInUse = false;
        reply.then(() => this.#noteLateReply()).catch(() => {});
      }
      this.report(errorMessage(error));
      return undefined;
    }
  }

  /** Notes a problem that came with a reply, so this part of Redis is still asked. */
  report(problem: string): void {
    if (this.#isClosed) return;
    if (this.#outage !== undefined) {
      this.#outage.problem = problem;
      return;
    }
    this.#outage = { problem, probes: 0, probesWithoutReply: 0 };
    this.#scheduleProbe(this.#outage);
    this.#steps.onChange();
  }

  close(): void {
    this.#isClosed = true;
  }

  #scheduleProbe(outage: Outage): void {
    setTimeout(() => void this.#probe(outage), growingDelayMs(outage.probes++, PROBE_INTERVAL)).unref();
  }

  async #probe(outage: Outage): Promise<void> {
    if (!this.#isCurrent(outage)) return;
    try {
      await inTime(this.#steps.probe());
      if (this.#isCurrent(outage)) this.#recover();
    } catch (error) {
      if (this.#isCurrent(outage)) this.#noteFailedProbe(outage, error);
    }
  }

  #isCurrent(outage: Outage): boolean {
    return !this.#isClosed && this.#outage === outage;
  }

  #noteFailedProbe(outage: Outage, error: unknown): void {
    outage.problem = errorMessage(error);
    if (error instanceof NoReplyError) {
      outage.probesWithoutReply++;
      if (outage.probesWithoutReply % PROBES_BEFORE_RENEWAL === 0) this.#steps.renew();
    } else {
      outage.probesWithoutReply = 0;
      this.#isInUse = true;
    }
    this.#scheduleProbe(outage);
  }

  /**
   * A late reply shows that this part works again. After that, an attempt must get its reply in time
   * before another late reply is enough: a server that is always late would come and go.
   */
  #noteLateReply(): void {
    if (this.#isClosed || !this.#trustsLateReply) return;
    this.#trustsLateReply = false;
    this.#recover();
  }

  #recover(): void {
    this.#isInUse = true;
    if (this.#outage === undefined) return;
    this.#outage = undefined;
    this.#steps.onChange();
  }
}

/** Doubles with each failure, up to a maximum. A random part keeps machines from trying together. */
export function growingDelayMs(failures: number, { minMs, maxMs }: { minMs: number; maxMs: number }): number {
  const limitMs = Math.min(maxMs, minMs * 2 ** failures);
  return limitMs * (0.5 + Math.random() / 2);
}

async function inTime<T>(reply: Promise<T>): Promise<T> {
  const wait = new RedisWait();
  const late = wait.over.then(() => Promise.reject(new NoReplyError(`no reply within ${REDIS_WAIT_MS} ms`)));
  try {
    return await Promise.race([reply, late]);
  } finally {
    wait.stop();
  }
}

/**
 * A wait of `REDIS_WAIT_MS` in short steps. Each step ends in a turn of the event loop of its own, in
 * which replies are read. So a turn in which this thread is busy uses up one step, not the whole wait;
 * none if it is long, because Redis may then have had no time on the same machine, either.
 */
export class RedisWait {
  /** Resolves at the end; never if the wait is stopped before. */
  readonly over: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #startedMs = performance.now();

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#step(REDIS_WAIT_MS / STEP_MS, resolve);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #step(count: number, end: () => void): void {
    if (this.#isStopped) return;
    if (count === 0) {
      end();
      return;
    }
    const before = performance.eventLoopUtilization();
    const next = () => {
      const { active } = performance.eventLoopUtilization(before);
      const isBusy = active > MAX_ACTIVE_MS && performance.now() - this.#startedMs < MAX_BUSY_WAIT_MS;
      this.#step(isBusy ? count : count - 1, end);
    };
    this.#timer = setTimeout(() => setImmediate(next), STEP_MS);
  }
}
