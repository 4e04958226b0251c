/**
 * Rate limits that all machines share through Redis. The calls of a tick are counted by one script
 * call. While Redis does not work, each machine decides by its own limiter, which counts all along.
 */
import { hash } from 'node:crypto';
import type { RateCall, RateLimiter } from '../limits/rate-limiter.ts';
import type { Allowance } from '../limits/sliding-log.ts';
import { CounterGroup, type CounterGroupOptions, type WaitingCall } from './counter-group.ts';
import { TAKE_CALLS } from './limit-script.ts';

/** Groups of logs, which the servers of a cluster share among themselves. */
export const CLUSTER_GROUPS = 32;

export interface SharedLimiterOptions extends Pick<CounterGroupOptions, 'connection' | 'onChange'> {
  readonly isCluster: boolean;
  readonly prefix: string;
  readonly local: RateLimiter;
  /** Runs in every tick with calls, beside the script. Decisions wait for it. Must not reject. */
  readonly alongside: () => Promise<unknown>;
}

export class SharedLimiter {
  readonly counts = { roundTrips: 0, decidedLocally: 0 };
  readonly #options: SharedLimiterOptions;
  readonly #groups: readonly CounterGroup<RateCall>[];
  #isScheduled = false;
  #hadProblem = false;

  constructor(options: SharedLimiterOptions) {
    this.#options = options;
    const groupCount = options.isCluster ? CLUSTER_GROUPS : 1;
    const { connection, prefix } = options;
    const onChange = () => this.#reportChange();
    this.#groups = Array.from({ length: groupCount }, (_, number) => {
      const namePrefix = `${prefix}:{limits${number}}:`;
      return new CounterGroup({ connection, script: TAKE_CALLS, namePrefix, onChange });
    });
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#groups.find((group) => group.problem !== '')?.problem ?? '';
  }

  /** Counts a call if the limit allows it, and calls `decide`: now, or in a later tick. */
  take(call: RateCall, decide: (allowance: Allowance) => void): void {
    // Redis must not count a call that this machine refuses
    const refusal = this.#options.local.refusalOf(call);
    if (refusal !== undefined) {
      decide(refusal);
      return;
    }
    const clientHash = hash('sha1', `${call.ownLimit?.keyId ?? ''}|${call.group}`, 'hex');
    const group = this.#groups[Number.parseInt(clientHash.slice(0, 4), 16) % this.#groups.length]!;
    const limit = call.ownLimit?.perMinute ?? this.#options.local.defaultPerMinute;
    group.add({ call, limit, name: clientHash, decide });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#countWaiting());
  }

  /** Makes all servers know the script. */
  async prepare(): Promise<void> {
    await Promise.all(this.#groups.map((group) => group.prepare()));
  }

  close(): void {
    for (const group of this.#groups) group.close();
  }

  #reportChange(): void {
    const hasProblem = this.problem !== '';
    if (hasProblem === this.#hadProblem) return;
    this.#hadProblem = hasProblem;
    this.#options.onChange();
  }

  #countWaiting(): void {
    this.#isScheduled = false;
    const alongside = this.#options.alongside();
    this.counts.roundTrips++;
    for (const group of this.#groups) {
      for (let calls = group.takeBatch(); calls.length > 0; calls = group.takeBatch()) {
        void this.#decide(group, calls, alongside);
      }
    }
  }

  async #decide(
    group: CounterGroup<RateCall>,
    calls: readonly WaitingCall<RateCall>[],
    alongside: Promise<unknown>,
  ): Promise<void> {
    const [reply] = await Promise.all([group.count(calls), alongside]);
    for (const [i, { call, decide }] of calls.entries()) {
      const shared = reply?.allowances[i];
      if (shared === undefined) this.counts.decidedLocally++;
      // the local limiter counts every accepted call, so that it can take over at any time
      const own = shared?.accepted === false ? undefined : this.#options.local.take(call);
      // after Redis was gone, it lacks calls that this machine has accepted meanwhile
      decide(own?.accepted === false ? own : (shared ?? own!));
    }
  }
}
