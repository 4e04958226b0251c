/**
 * Daily quotas that all machines share through Redis. The calls of a tick are counted by one script
 * call. While Redis does not work, each machine decides by its own table, which counts all along.
 */
import type { QuotaCall, QuotaTable } from '../limits/quota-table.ts';
import type { Allowance } from '../limits/sliding-log.ts';
import { CounterGroup, type CounterGroupOptions, type WaitingCall } from './counter-group.ts';
import { TAKE_DAILY_CALLS } from './quota-script.ts';

export interface SharedQuotaOptions extends Pick<CounterGroupOptions, 'connection' | 'onChange'> {
  readonly prefix: string;
  readonly local: QuotaTable;
}

export class SharedQuota {
  readonly #local: QuotaTable;
  readonly #counters: CounterGroup<QuotaCall>;
  #isScheduled = false;

  constructor({ connection, prefix, local, onChange }: SharedQuotaOptions) {
    this.#local = local;
    const namePrefix = `${prefix}:{quotas}:`;
    this.#counters = new CounterGroup({ connection, script: TAKE_DAILY_CALLS, namePrefix, onChange });
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#counters.problem;
  }

  /** Counts a call if the quota allows it, and calls `decide` in a later tick. */
  take(call: QuotaCall, decide: (allowance: Allowance) => void): void {
    this.#counters.add({ call, limit: call.perDay, name: call.keyId, decide });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#countWaiting());
  }

  /** Makes the server know the script. */
  async prepare(): Promise<void> {
    await this.#counters.prepare();
  }

  close(): void {
    this.#counters.close();
  }

  #countWaiting(): void {
    this.#isScheduled = false;
    for (let calls = this.#counters.takeBatch(); calls.length > 0; calls = this.#counters.takeBatch()) {
      void this.#decide(calls);
    }
  }

  async #decide(calls: readonly WaitingCall<QuotaCall>[]): Promise<void> {
    const reply = await this.#counters.count(calls);
    for (const [i, { call, decide }] of calls.entries()) {
      const shared = reply?.allowances[i];
      // the local table counts every accepted call, so that it can take over at any time
      const own = shared === undefined || shared.accepted ? this.#local.take(call) : undefined;
      decide(shared ?? own!);
    }
  }
}
