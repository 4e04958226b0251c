/**
 * Decides about calls by their rate limits and daily quotas: those of this machine alone, or those that
 * all machines share through Redis. While Redis does not work, each machine decides by its own tables,
 * which count all along.
 */
import { hash } from 'node:crypto';
import type { RedisConnection } from '../redis/redis-connection.ts';
import { DAY_MS, type QuotaCall, type QuotaTable } from './quota-table.ts';
import type { RateCall, RateLimiter } from './rate-limiter.ts';
import { RedisCounter, TAKE_CALLS, TAKE_DAILY_CALLS } from './redis-counter.ts';
import type { Allowance } from './sliding-log.ts';

/** Groups of logs, which the servers of a cluster share among themselves. */
const CLUSTER_GROUPS = 32;

const NAME_DIGITS = 40;
/** If there are more, the oldest is forgotten. */
const MAX_REFUSALS = 10_000;

/** `gaveUpOnRedis`: the call has waited for Redis, which did not answer, and must not wait again. */
type Decide = (allowance: Allowance, gaveUpOnRedis: boolean) => void;
/** Gets the error of a decision that throws in a later tick. */
type Fail = (error: Error) => void;

/** Both methods count a call if the limit allows it, and decide about it now or in a later tick. */
export interface Limits {
  /** The rate limits of this machine, which also decides about requests for pages. */
  readonly limiter: RateLimiter;
  takeCall(call: RateCall, decide: Decide, fail: Fail): void;
  /** For calls with a key that has a quota. */
  takeDailyCall(call: QuotaCall, decide: Decide, fail: Fail): void;
}

/** The tables of this machine, shared by its threads. */
export interface LocalTables {
  readonly limiter: RateLimiter;
  readonly quotas: QuotaTable;
}

export function localLimits({ limiter, quotas }: LocalTables): Limits {
  return {
    limiter,
    takeCall: (call, decide) => decide(limiter.take(call), false),
    takeDailyCall: (call, decide) => decide(quotas.take(call), false),
  };
}

interface RedisLimitsOptions extends LocalTables {
  readonly connection: RedisConnection;
  /** The secret of all machines. It hides keys and addresses in the names of logs. */
  readonly secret: () => string;
  /** Runs in every tick with rate-limited calls. Decisions wait for it. Must not reject. */
  readonly refreshKeys?: () => Promise<unknown>;
}

export class RedisLimits implements Limits {
  readonly limiter: RateLimiter;
  readonly #options: RedisLimitsOptions;
  readonly #calls: RedisCounter;
  readonly #dailyCalls: RedisCounter;
  /** Until when Redis refuses calls, by client. */
  readonly #refusedUntilMs = new Map<string, number>();

  constructor(options: RedisLimitsOptions) {
    this.#options = options;
    this.limiter = options.limiter;
    const { connection, refreshKeys = () => Promise.resolve() } = options;
    const { prefix, mode } = connection.settings;
    const groups = mode.kind === 'cluster' ? CLUSTER_GROUPS : 1;
    this.#calls = new RedisCounter({
      connection,
      script: TAKE_CALLS,
      namePrefixes: Array.from({ length: groups }, (_, number) => `${prefix}:{limits${number}}:`),
      refreshKeys,
    });
    const namePrefixes = [`${prefix}:{quotas}:`];
    this.#dailyCalls = new RedisCounter({ connection, script: TAKE_DAILY_CALLS, namePrefixes });
  }

  /** `roundTrips`: ticks whose calls were sent to Redis. `decidedLocally`: decisions without Redis. */
  get counts(): RedisCounter['counts'] {
    const { roundTrips, decidedLocally } = this.#calls.counts;
    return { roundTrips, decidedLocally: decidedLocally + this.#dailyCalls.counts.decidedLocally };
  }

  /** Makes all servers know the scripts. */
  async prepare(): Promise<void> {
    await Promise.all([this.#calls.prepare(), this.#dailyCalls.prepare()]);
  }

  takeCall(call: RateCall, decide: Decide, fail: Fail): void {
    const { secret } = this.#options;
    // Redis must not count a call that this machine refuses
    const refusal = this.limiter.refusalOf(call);
    if (refusal !== undefined) {
      decide(refusal, false);
      return;
    }
    // SHA-3 after a secret is a message authentication code, and takes a third of the time of HMAC
    const name = hash('sha3-256', secret() + clientOf(call), 'hex').slice(0, NAME_DIGITS);
    const limit = this.limiter.limitOf(call);
    const settle = (shared: Allowance | undefined, gaveUpOnRedis: boolean) =>
      decide(this.#settle(call, shared), gaveUpOnRedis);
    const args = [limit, call.calls ?? 1].map(String);
    this.#calls.add({ name, limit, args, settle, fail }, Number.parseInt(name.slice(0, 4), 16));
  }

  /**
   * Each machine remembers in its table the most calls of a key that it knows of. Every call brings the
   * number back to Redis, which may have lost it: it returns from a crash with its last snapshot.
   */
  takeDailyCall(call: QuotaCall, decide: Decide, fail: Fail): void {
    const { quotas } = this.#options;
    const { keyId, perDay, nowMs, calls = 1, gaveUpOnRedis = false } = call;
    if (gaveUpOnRedis) {
      this.#dailyCalls.counts.decidedLocally++;
      decide(quotas.take(call), true);
      return;
    }
    const known = quotas.read(keyId) ?? { day: 0, calls: 0 };
    const args = [perDay, calls, known.day, known.calls].map(String);
    const settle = (shared: Allowance | undefined, hasGivenUp: boolean) => {
      if (shared === undefined) return decide(quotas.take(call), hasGivenUp);
      quotas.restore({ keyId, day: countedDay(call, shared), calls: shared.limit - shared.remaining }, nowMs);
      decide(shared, hasGivenUp);
    };
    this.#dailyCalls.add({ name: keyId, limit: perDay, args, settle, fail });
  }

  /** Clients whom Redis has refused stay refused as long as it said, even while it does not work. */
  #settle(call: RateCall, shared: Allowance | undefined): Allowance {
    if (shared?.accepted === false) {
      // a refused batch leaves calls that may still be made
      if (shared.remaining === 0) this.#remember(call, shared);
      return shared;
    }
    const retryAfterMs = shared === undefined ? (this.#refusedUntilMs.get(clientOf(call)) ?? 0) - call.nowMs : 0;
    if (retryAfterMs > 0) {
      return { accepted: false, limit: this.limiter.limitOf(call), remaining: 0, resetMs: retryAfterMs, retryAfterMs };
    }
    // the local limiter counts every accepted call, so that it can take over at any time
    const own = this.limiter.take(call);
    // after Redis was gone, it lacks calls that this machine has accepted meanwhile
    return own.accepted ? (shared ?? own) : own;
  }

  #remember(call: RateCall, { retryAfterMs }: Allowance): void {
    const refusals = this.#refusedUntilMs;
    refusals.delete(clientOf(call)); // so that it becomes the newest
    refusals.set(clientOf(call), call.nowMs + retryAfterMs);
    if (refusals.size > MAX_REFUSALS) refusals.delete(refusals.keys().next().value ?? '');
  }
}

function clientOf({ ownLimit, group }: RateCall): string {
  return `${ownLimit?.keyId ?? ''}|${group}`;
}

/** The day on which Redis has counted a call. Its clock and that of this machine may differ. */
function countedDay({ nowMs }: QuotaCall, { resetMs }: Allowance): number {
  return Math.round((nowMs + resetMs) / DAY_MS) - 1;
}
