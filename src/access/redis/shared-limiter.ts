/**
 * Rate limits that all machines share through Redis. While Redis does not work, each machine decides
 * by its own limiter, which counts all along. Clients whom Redis has refused stay refused as long as
 * it said.
 */
import { hash } from 'node:crypto';
import type { RateCall, RateLimiter } from '../limits/rate-limiter.ts';
import type { Allowance } from '../limits/sliding-log.ts';
import { TAKE_CALLS } from './limit-script.ts';
import { SharedCounter, type SharedCounterOptions, type WaitingCall } from './shared-counter.ts';

/** Groups of logs, which the servers of a cluster share among themselves. */
export const CLUSTER_GROUPS = 32;

const NAME_DIGITS = 40;
/** If there are more, the oldest is forgotten. */
const MAX_REFUSALS = 10_000;

export interface SharedLimiterOptions
  extends Pick<SharedCounterOptions<RateCall>, 'connection' | 'alongside' | 'onChange'> {
  readonly isCluster: boolean;
  readonly prefix: string;
  readonly local: RateLimiter;
  /** The secret of all machines. It hides keys and addresses in the names of logs. */
  readonly secret: () => string;
}

export class SharedLimiter {
  readonly #local: RateLimiter;
  readonly #secret: () => string;
  readonly #counter: SharedCounter<RateCall>;
  /** Until when Redis refuses calls, by client. */
  readonly #refusedUntilMs = new Map<string, number>();

  constructor({ isCluster, prefix, local, secret, ...options }: SharedLimiterOptions) {
    this.#local = local;
    this.#secret = secret;
    const groupCount = isCluster ? CLUSTER_GROUPS : 1;
    this.#counter = new SharedCounter({
      ...options,
      script: TAKE_CALLS,
      namePrefixes: Array.from({ length: groupCount }, (_, number) => `${prefix}:{limits${number}}:`),
      settle: (call, shared) => this.#settle(call, shared),
    });
  }

  get counts(): SharedCounter<RateCall>['counts'] {
    return this.#counter.counts;
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#counter.problem;
  }

  /** Counts a call if the limit allows it. Calls `decide`, now or later; see `SharedCounter`. */
  take(call: RateCall, decide: WaitingCall<RateCall>['decide'], fail: WaitingCall<RateCall>['fail']): void {
    // Redis must not count a call that this machine refuses
    const refusal = this.#local.refusalOf(call);
    if (refusal !== undefined) {
      decide(refusal, false);
      return;
    }
    // SHA-3 after a secret is a message authentication code, and takes a third of the time of HMAC
    const name = hash('sha3-256', this.#secret() + clientOf(call), 'hex').slice(0, NAME_DIGITS);
    const limit = this.#limitOf(call);
    this.#counter.add(
      { call, limit, args: [String(limit)], name, decide, fail },
      Number.parseInt(name.slice(0, 4), 16),
    );
  }

  /** Makes all servers know the script. */
  async prepare(): Promise<void> {
    await this.#counter.prepare();
  }

  close(): void {
    this.#counter.close();
  }

  #limitOf({ ownLimit }: RateCall): number {
    return ownLimit?.perMinute ?? this.#local.defaultPerMinute;
  }

  #settle(call: RateCall, shared: Allowance | undefined): Allowance {
    if (shared?.accepted === false) {
      this.#remember(call, shared);
      return shared;
    }
    const retryAfterMs = shared === undefined ? (this.#refusedUntilMs.get(clientOf(call)) ?? 0) - call.nowMs : 0;
    if (retryAfterMs > 0)
      return { accepted: false, limit: this.#limitOf(call), remaining: 0, resetMs: retryAfterMs, retryAfterMs };
    // the local limiter counts every accepted call, so that it can take over at any time
    const own = this.#local.take(call);
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
