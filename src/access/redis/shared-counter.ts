/**
 * Counts calls in Redis. The calls of a tick are counted together, by one script call per group of
 * counters. Each call then gets its decision, whether Redis has answered or not.
 */
import { errorMessage } from '../../errors/errors.ts';
import type { Allowance } from '../limits/sliding-log.ts';
import { type CountedCall, CounterGroup } from './counter-group.ts';
import type { RedisConnection, RedisScript } from './redis-connection.ts';

export interface SharedCounterOptions<Call> {
  readonly connection: RedisConnection;
  readonly script: RedisScript;
  /** One for each group of counters. */
  readonly namePrefixes: readonly string[];
  /** Decides about a call. `shared` is the decision of Redis; undefined if there is none. */
  readonly settle: (call: Call, shared: Allowance | undefined) => Allowance;
  /** Runs in every tick with calls, beside the scripts. Decisions wait for it. Must not reject. */
  readonly alongside?: () => Promise<unknown>;
  /** Called when `problem` becomes empty or not empty. */
  readonly onChange: () => void;
}

export interface WaitingCall<Call> extends CountedCall {
  readonly call: Call;
  readonly decide: (allowance: Allowance, hasWaitedInVain: boolean) => void;
  /** Called if the decision throws. Must not throw. */
  readonly fail: (error: Error) => void;
}

export class SharedCounter<Call> {
  /** `roundTrips`: ticks whose calls were sent to Redis. `decidedLocally`: calls that Redis did not decide. */
  readonly counts = { roundTrips: 0, decidedLocally: 0 };
  readonly #options: SharedCounterOptions<Call>;
  readonly #groups: readonly CounterGroup<WaitingCall<Call>>[];
  #isScheduled = false;
  #hadProblem = false;

  constructor(options: SharedCounterOptions<Call>) {
    this.#options = options;
    const { connection, script, namePrefixes } = options;
    const onChange = () => this.#reportChange();
    this.#groups = namePrefixes.map((namePrefix) => new CounterGroup({ connection, script, namePrefix, onChange }));
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#groups.find((group) => group.problem !== '')?.problem ?? '';
  }

  /** Counts a call in a group, which is any number, and decides about the call in a later tick. */
  add(call: WaitingCall<Call>, group = 0): void {
    this.#groups[group % this.#groups.length]?.add(call);
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
    const alongside = this.#options.alongside?.();
    let isRedisAsked = false;
    for (const group of this.#groups) {
      for (let calls = group.takeBatch(); calls.length > 0; calls = group.takeBatch()) {
        isRedisAsked ||= group.isAsked;
        void this.#decide(group, calls, alongside);
      }
    }
    if (isRedisAsked) this.counts.roundTrips++;
  }

  async #decide(
    group: CounterGroup<WaitingCall<Call>>,
    calls: readonly WaitingCall<Call>[],
    alongside: Promise<unknown> | undefined,
  ): Promise<void> {
    const { isAsked } = group;
    const [reply] = await Promise.all([group.count(calls), alongside]);
    const hasWaitedInVain = isAsked && !group.isAsked;
    for (const [i, { call, decide, fail }] of calls.entries()) {
      const shared = reply?.allowances[i];
      if (shared === undefined) this.counts.decidedLocally++;
      try {
        decide(this.#options.settle(call, shared), hasWaitedInVain);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(errorMessage(error), { cause: error }));
      }
    }
  }
}
