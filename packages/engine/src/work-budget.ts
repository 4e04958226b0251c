/**
 * Bounds the work of one search, so that no query blocks its thread. Work is counted, not timed, so
 * the same search always stops at the same step. Reading one posting, place or trie node takes
 * about one unit. Units are integers, because V8 adds integers faster than fractions.
 */

/**
 * Default budget. A unit takes 15 to 33 ns (Neoverse-N1), so no search takes more than 20 ms there.
 * Of 12,000 queries with a known right result, none takes more than 195,000 units.
 */
export const MAX_WORK = 580_000;

/** A text search selects this many hits, whatever its limit, and then cuts the page. */
export const MAX_HITS = 20;

export class WorkBudget {
  private readonly max: number;
  private remaining: number;
  /** Whether the search needed more units than it had. */
  isExceeded = false;

  constructor(max = MAX_WORK) {
    this.max = Math.floor(max);
    this.remaining = this.max;
  }

  reset(): void {
    this.remaining = this.max;
    this.isExceeded = false;
  }

  /** Whether no units are left, apart from reserved ones. */
  get isUsedUp(): boolean {
    return this.remaining === 0;
  }

  /** Number of units spent or still reserved. */
  get used(): number {
    return this.max - this.remaining;
  }

  /** Spends `units`. If fewer are left, uses them up, sets `isExceeded` and returns false. */
  spend(units: number): boolean {
    this.remaining -= units;
    if (this.remaining >= 0) return true;
    this.remaining = 0;
    this.isExceeded = true;
    return false;
  }

  /** Sets aside a share (0..1) of the whole budget, or what is left if less. Returns the units. */
  reserve(share: number): number {
    const reserved = Math.min(Math.floor(share * this.max), this.remaining);
    this.remaining -= reserved;
    return reserved;
  }

  release(reserved: number): void {
    this.remaining += reserved;
  }

  /** Does what `spend` does, but returns the number of units spent. */
  grant(units: number): number {
    const granted = Math.min(units, this.remaining);
    this.spend(units);
    return granted;
  }
}
