/**
 * Bounds the work of one search, so that no query holds up its thread. The engine reads no clock, so work is counted:
 * a unit is about one posting, place or trie node looked at. A search that has used up its budget ends with the best
 * hits found so far and says so; as work is counted and not timed, it ends at the same point every time.
 */

// 580,000: a unit takes 15 to 33 ns (Neoverse-N1), so no search takes more than 20 ms there; without a budget the slowest
// known took 80 ms. Of 15,000 judged queries over the embedded data none needs more than 520,000 units, 1 in 1,000 more
// than 230,000 and half of them about 100.
export const MAX_WORK = 580_000;

export class WorkBudget {
  private readonly max: number;
  private left: number;
  /** Whether work was left undone. */
  isExceeded = false;

  constructor(max = MAX_WORK) {
    this.max = max;
    this.left = max;
  }

  /** Starts a search. */
  reset(): void {
    this.left = this.max;
    this.isExceeded = false;
  }

  /** Whether nothing is left at this moment. */
  get isUsedUp(): boolean {
    return this.left === 0;
  }

  get used(): number {
    return this.max - this.left;
  }

  /** Spends `units`. Returns false if fewer are left; then none is left from here on. */
  spend(units: number): boolean {
    this.left -= units;
    if (this.left >= 0) return true;
    this.left = 0;
    this.isExceeded = true;
    return false;
  }

  /** Sets a share of the whole budget aside for later, as far as it is left; returns how many units. */
  reserve(share: number): number {
    const reserved = Math.min(share * this.max, this.left);
    this.left -= reserved;
    return reserved;
  }

  /** Makes units that were set aside available. */
  release(reserved: number): void {
    this.left += reserved;
  }

  /** Spends up to `units` and returns how many were left. */
  grant(units: number): number {
    const granted = Math.min(units, this.left);
    this.spend(units);
    return granted;
  }
}
