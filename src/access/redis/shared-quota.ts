/**
 * Daily quotas that all machines share through Redis. While Redis does not work, each machine decides
 * by its own table, which counts all along.
 */
import { DAY_MS, type QuotaCall, type QuotaTable } from '../limits/quota-table.ts';
import type { Allowance } from '../limits/sliding-log.ts';
import { TAKE_DAILY_CALLS } from './quota-script.ts';
import { SharedCounter, type SharedCounterOptions, type WaitingCall } from './shared-counter.ts';

export interface SharedQuotaOptions extends Pick<SharedCounterOptions<QuotaCall>, 'connection' | 'onChange'> {
  readonly prefix: string;
  readonly local: QuotaTable;
}

export class SharedQuota {
  readonly #local: QuotaTable;
  readonly #counter: SharedCounter<QuotaCall>;

  constructor({ prefix, local, ...options }: SharedQuotaOptions) {
    this.#local = local;
    this.#counter = new SharedCounter({
      ...options,
      script: TAKE_DAILY_CALLS,
      namePrefixes: [`${prefix}:{quotas}:`],
      settle: (call, shared) => this.#settle(call, shared),
    });
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#counter.problem;
  }

  /** Counts a call if the quota allows it. Calls `decide` later; see `SharedCounter`. */
  take(call: QuotaCall, decide: WaitingCall<QuotaCall>['decide'], fail: WaitingCall<QuotaCall>['fail']): void {
    this.#counter.add({ call, limit: call.perDay, name: call.keyId, decide, fail });
  }

  /** Makes the server know the script. */
  async prepare(): Promise<void> {
    await this.#counter.prepare();
  }

  close(): void {
    this.#counter.close();
  }

  #settle(call: QuotaCall, shared: Allowance | undefined): Allowance {
    if (shared?.accepted === false) return shared;
    // the local table counts every accepted call, so that it can take over at any time
    const own = this.#local.take(call);
    if (shared === undefined) return own;
    // after Redis was gone, it lacks calls that this machine has accepted meanwhile
    return !own.accepted && this.#isUsedUp(call, sharedDay(call, shared)) ? own : shared;
  }

  /** Whether this machine alone has accepted as many calls on this day as the quota allows. */
  #isUsedUp({ keyId, perDay }: QuotaCall, day: number): boolean {
    const count = this.#local.read(keyId);
    return count !== undefined && count.day === day && count.calls >= perDay;
  }
}

/** The day on which Redis has counted a call. Its clock and that of this machine may differ. */
function sharedDay({ nowMs }: QuotaCall, { resetMs }: Allowance): number {
  return Math.round((nowMs + resetMs) / DAY_MS) - 1;
}
