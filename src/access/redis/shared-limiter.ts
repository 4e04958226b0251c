/**
 * Rate limits that all machines share through Redis. The calls of a tick are counted by one script
 * call. While Redis does not work, each machine decides by its own limiter, which counts all along.
 */
import { hash } from 'node:crypto';
import type { RateCall, RateLimiter } from '../limits/rate-limiter.ts';
import type { Allowance } from '../limits/sliding-log.ts';
import { parseTakeReply, TAKE_CALLS, type TakeReply } from './limit-script.ts';
import type { RedisConnection, RedisNames } from './redis-connection.ts';
import { RedisGuard } from './redis-guard.ts';

/** Groups of logs. Those of a group share a slot, so that one script call can count them. */
export const CLUSTER_GROUPS = 32;
/** More calls would keep the server busy for milliseconds. */
const MAX_CALLS_PER_SCRIPT = 500;

export interface SharedLimiterOptions {
  readonly connection: RedisConnection;
  readonly isCluster: boolean;
  readonly prefix: string;
  readonly local: RateLimiter;
  /** Runs in every tick with calls, beside the script. Decisions wait for it. Must not reject. */
  readonly alongside: () => Promise<unknown>;
  /** Called when `problem` becomes empty or not empty. */
  readonly onChange: () => void;
}

interface WaitingCall {
  readonly call: RateCall;
  readonly limit: number;
  readonly logName: string;
  readonly decide: (allowance: Allowance) => void;
}

export class SharedLimiter {
  readonly counts = { roundTrips: 0, decidedLocally: 0 };
  readonly #options: SharedLimiterOptions;
  readonly #groups: readonly LogGroup[];
  #isScheduled = false;
  #hadProblem = false;

  constructor(options: SharedLimiterOptions) {
    this.#options = options;
    const groupCount = options.isCluster ? CLUSTER_GROUPS : 1;
    const onChange = () => this.#reportChange();
    this.#groups = Array.from({ length: groupCount }, (_, number) => new LogGroup(number, { ...options, onChange }));
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#groups.find((group) => group.problem !== '')?.problem ?? '';
  }

  /** Counts a call if the limit allows it, and calls `decide` in a later tick. */
  take(call: RateCall, decide: (allowance: Allowance) => void): void {
    const clientHash = hash('sha1', `${call.ownLimit?.keyId ?? ''}|${call.group}`, 'hex');
    const group = this.#groups[Number.parseInt(clientHash.slice(0, 4), 16) % this.#groups.length]!;
    const limit = call.ownLimit?.perMinute ?? this.#options.local.defaultPerMinute;
    group.waiting.push({ call, limit, logName: group.logName(clientHash), decide });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#countWaiting());
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
      while (group.waiting.length > 0)
        void this.#decide(group, group.waiting.splice(0, MAX_CALLS_PER_SCRIPT), alongside);
    }
  }

  async #decide(group: LogGroup, calls: readonly WaitingCall[], alongside: Promise<unknown>): Promise<void> {
    const [reply] = await Promise.all([group.count(calls), alongside]);
    for (const [i, { call, decide }] of calls.entries()) {
      const shared = reply?.allowances[i];
      // the local limiter counts every accepted call, so that it can take over at any time
      const own = shared === undefined || shared.accepted ? this.#options.local.take(call) : undefined;
      if (shared === undefined) this.counts.decidedLocally++;
      decide(shared ?? own!);
    }
  }
}

/** Logs that are counted together. */
class LogGroup {
  readonly waiting: WaitingCall[] = [];
  readonly #connection: RedisConnection;
  readonly #guard: RedisGuard;
  /** Braces make Redis Cluster hash this part of a name only. */
  readonly #namePrefix: string;

  constructor(number: number, { connection, prefix, onChange }: SharedLimiterOptions) {
    this.#connection = connection;
    this.#namePrefix = `${prefix}:{limits${number}}:`;
    const probeName = `${this.#namePrefix}probe`;
    this.#guard = new RedisGuard({
      probe: () => connection.send(probeName, ['SET', probeName, '1', 'PX', '1000']),
      renew: () => connection.renew(),
      onChange,
    });
  }

  get problem(): string {
    return this.#guard.problem;
  }

  logName(clientHash: string): string {
    return this.#namePrefix + clientHash;
  }

  /** Returns undefined if Redis does not answer. */
  async count(calls: readonly WaitingCall[]): Promise<TakeReply | undefined> {
    const limits = calls.map(({ limit }) => limit);
    const names = calls.map(({ logName }) => logName) as unknown as RedisNames;
    const reply = await this.#guard.attempt(() => this.#connection.run(TAKE_CALLS, names, limits.map(String)));
    if (reply === undefined) return undefined;
    const parsed = parseTakeReply(reply, limits);
    if (parsed.problem !== '') this.#guard.report(parsed.problem);
    return parsed;
  }

  close(): void {
    this.#guard.close();
  }
}
