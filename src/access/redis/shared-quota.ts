/**
 * Daily quotas that all machines share through Redis. Each machine remembers in its own table the most
 * calls of a key that it knows of. While Redis does not work, that table decides. Every call brings the
 * number back to Redis, which may have lost it: it returns from a crash with its last snapshot.
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

  get counts(): SharedCounter<QuotaCall>['counts'] {
    return this.#counter.counts;
  }

  /** Why calls are not counted in Redis; empty if they are. */
  get problem(): string {
    return this.#counter.problem;
  }

  /** Counts a call if the quota allows it. Calls `decide`, now or later; see `SharedCounter`. */
  take(call: QuotaCall, decide: WaitingCall<QuotaCall>['decide'], fail: WaitingCall<QuotaCall>['fail']): void {
    const { keyId, perDay, hasWaitedInVain = false } = call;
    if (hasWaitedInVain) {
      this.#counter.counts.decidedLocally++;
      decide(this.#local.take(call), true);
      return;
    }
    const known = this.#local.read(keyId) ?? { day: 0, calls: 0 };
    const args = [perDay, known.day, known.calls].map(String);
    this.#counter.add({ call, limit: perDay, args, name: keyId, decide, fail });
  }

  /** Makes the server know the script. */
  async prepare(): Promise<void> {
    await this.#counter.prepare();
  }

  close(): void {
    this.#counter.close();
  }

  #settle(call: QuotaCall, shared: Allowance | undefined): Allowance {
    if (shared === undefined) return this.#local.take(call);
    const { keyId, nowMs } = call;
    const count = { keyId, day: sharedDay(call, shared), calls: shared.limit - shared.remaining };
    this.#local.restore(count, nowMs);
    return shared;
  }
}

/** The day on which Redis has counted a call. Its clock and that of this machine may differ. */
function sharedDay({ nowMs }: QuotaCall, { resetMs }: Allowance): number {
  return Math.round((nowMs + resetMs) / DAY_MS) - 1;
}
