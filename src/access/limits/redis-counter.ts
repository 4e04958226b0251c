/**
 * Counts calls in Redis. The calls of a tick are counted together, by one script call per group of
 * counters. Each call then gets its decision, whether Redis has answered or not.
 */
import { errorMessage } from '../../errors/errors.ts';
import type { RedisConnection, RedisNames, RedisScript } from '../redis/redis-connection.ts';
import type { RedisGuard } from '../redis/redis-guard.ts';
import { parseTakeReply } from './count-scripts.ts';
import type { Allowance } from './sliding-log.ts';

/** More calls would keep the server busy for milliseconds. */
const MAX_CALLS_PER_SCRIPT = 500;

export interface RedisCounterOptions {
  readonly connection: RedisConnection;
  /** Its reply must be one that `parseTakeReply` reads. */
  readonly script: RedisScript;
  /**
   * One for each group of counters, which share a slot of a cluster. It has braces: Redis Cluster hashes
   * only the part in them.
   */
  readonly namePrefixes: readonly string[];
  /** Runs in every tick with calls, beside the scripts. Decisions wait for it. Must not reject. */
  readonly alongside?: () => Promise<unknown>;
}

export interface CountedCall {
  /** Name of the call's counter, without the prefix of its group. */
  readonly name: string;
  readonly limit: number;
  /** What the script gets about the call. */
  readonly args: readonly string[];
  /**
   * Gets the decision of Redis; undefined if there is none. `hasWaitedInVain`: Redis did not answer in
   * time, so that the call must not wait for Redis again.
   */
  readonly settle: (shared: Allowance | undefined, hasWaitedInVain: boolean) => void;
  /** Called if `settle` throws. Must not throw. */
  readonly fail: (error: Error) => void;
}

interface Group {
  readonly prefix: string;
  readonly guard: RedisGuard;
  readonly waiting: CountedCall[];
}

export class RedisCounter {
  /** `roundTrips`: ticks whose calls were sent to Redis. `decidedLocally`: calls that Redis did not decide. */
  readonly counts = { roundTrips: 0, decidedLocally: 0 };
  readonly #options: RedisCounterOptions;
  readonly #groups: readonly Group[];
  #isScheduled = false;

  constructor(options: RedisCounterOptions) {
    this.#options = options;
    const { connection, namePrefixes } = options;
    this.#groups = namePrefixes.map((prefix) => {
      const name = `${prefix}probe`;
      return {
        prefix,
        waiting: [],
        guard: connection.guard(() => connection.send(name, ['SET', name, '1', 'PX', '1000'])),
      };
    });
  }

  /** Counts a call in a group, which is any number, and settles it in a later tick. */
  add(call: CountedCall, group = 0): void {
    this.#groups[group % this.#groups.length]?.waiting.push(call);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#countWaiting());
  }

  /** Makes all servers know the script, so that the first calls need not wait for that. */
  async prepare(): Promise<void> {
    const { connection, script } = this.#options;
    await Promise.all(this.#groups.map(({ prefix }) => connection.run(script, [`${prefix}prepare`], ['1', '0', '0'])));
  }

  #countWaiting(): void {
    this.#isScheduled = false;
    const alongside = this.#options.alongside?.();
    let isRedisAsked = false;
    for (const group of this.#groups) {
      while (group.waiting.length > 0) {
        isRedisAsked ||= group.guard.isAsked;
        void this.#decide(group, group.waiting.splice(0, MAX_CALLS_PER_SCRIPT), alongside);
      }
    }
    if (isRedisAsked) this.counts.roundTrips++;
  }

  async #decide(group: Group, calls: readonly CountedCall[], alongside: Promise<unknown> | undefined): Promise<void> {
    const { isAsked } = group.guard;
    const [allowances] = await Promise.all([this.#count(group, calls), alongside]);
    const hasWaitedInVain = isAsked && !group.guard.isAsked;
    for (const [i, { settle, fail }] of calls.entries()) {
      const shared = allowances?.[i];
      if (shared === undefined) this.counts.decidedLocally++;
      try {
        settle(shared, hasWaitedInVain);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(errorMessage(error), { cause: error }));
      }
    }
  }

  /** Returns undefined if Redis does not answer. Never rejects. */
  async #count({ prefix, guard }: Group, calls: readonly CountedCall[]) {
    const { connection, script } = this.#options;
    const limits = calls.map(({ limit }) => limit);
    const args = calls.flatMap((call) => call.args);
    const names = calls.map(({ name }) => prefix + name) as unknown as RedisNames;
    const reply = await guard.attempt(async () => parseTakeReply(await connection.run(script, names, args), limits));
    if (reply !== undefined && reply.problem !== '') guard.report(reply.problem);
    return reply?.allowances;
  }
}
