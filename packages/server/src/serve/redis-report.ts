/** Tells operators that Redis cannot be used: in the log, and in the notice that `/readyz` shows. */
import { LOST_KEYS } from 'toponym-access/keys/redis-keys';
import type { Logger } from './log.ts';

/** Minimum time between two logged problems. A problem that starts earlier is logged if it lasts. */
const QUIET_MS = 30_000;

/** The reason is not shown, because it may contain addresses of this network. */
export function redisNotice(problem: string): string {
  if (problem === LOST_KEYS) return `${LOST_KEYS}: each replica uses those that it read last`;
  return problem && 'Redis cannot be used: each replica limits calls on its own and does not see changes of keys';
}

export class RedisReport {
  readonly #log: Logger;
  readonly #now: () => number;
  #problem = '';
  #sinceMs = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** A warning for `/readyz`; empty if there is none. */
  get notice(): string {
    return redisNotice(this.#problem);
  }

  /** Replaces the earlier problem; '' if Redis can be used. */
  update(problem: string): void {
    const hadProblem = this.#problem !== '';
    this.#problem = problem;
    if (hadProblem === (problem !== '')) return;
    clearTimeout(this.#timer);
    const nowMs = this.#now();
    if (problem !== '') {
      this.#sinceMs = nowMs;
      const quietMs = this.#loggedMs + QUIET_MS - nowMs;
      if (quietMs <= 0) this.#logProblem();
      else this.#timer = setTimeout(() => this.#logProblem(), quietMs).unref();
    } else if (this.#loggedMs >= this.#sinceMs) {
      this.#log.warn({ seconds: Math.round((nowMs - this.#sinceMs) / 1000) }, 'Redis can be used again');
    }
  }

  #logProblem(): void {
    this.#loggedMs = this.#now();
    this.#log.error({ reason: this.#problem }, this.notice);
  }
}
