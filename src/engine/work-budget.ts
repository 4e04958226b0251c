/**
 * Bounds the work of one search, so that no query blocks its thread. The engine reads no clock, so
 * work is counted: a unit is about one posting, place or trie node read. A search that has used up
 * its budget returns the best hits found so far and says so. It ends at the same point every time.
 */

// 580,000: a unit takes 15 to 33 ns (Neoverse-N1), so no search takes more than 20 ms there;
// without a budget the slowest known one took 80 ms. Of 15,000 judged queries over the embedded
// data none needs more than 520,000 units, 1 in 1,000 more than 230,000, and half of them about
// 100.
export const MAX_WORK = 580_000;

export class WorkBudget {
  private readonly max: number;
  private left: number;
  /** Whether some work was refused. */
  isExceeded = false;

  constructor(max = MAX_WORK) {
    this.max = max;
    this.left = max;
  }

  reset(): void {
    this.left = this.max;
    this.isExceeded = false;
  }

  /** Whether nothing is left at the moment; reserved units may be released later. */
  get isUsedUp(): boolean {
    return this.left === 0;
  }

  get used(): number {
    return this.max - this.left;
  }

  /** Spends `units`. If fewer are left, uses them up and returns false. */
  spend(units: number): boolean {
    this.left -= units;
    if (this.left >= 0) return true;
    this.left = 0;
    this.isExceeded = true;
    return false;
  }

  /** Sets aside a share of the whole budget, or what is left of it; returns the number of units. */
  reserve(share: number): number {
    const reserved = Math.min(share * this.max, this.left);
    this.left -= reserved;
    return reserved;
  }

  /** Returns reserved units to the budget. */
  release(reserved: number): void {
    this.left += reserved;
  }

  /** Spends up to `units` and returns how many were spent. */
  grant(units: number): number {
    const granted = Math.min(units, this.left);
    this.spend(units);
    return granted;
  }
}
