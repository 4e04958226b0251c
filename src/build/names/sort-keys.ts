/**
 * Multikey quicksort: sorts distinct keys in code unit order without comparing common prefixes
 * again. The next two letters of each key are cached next to its number, so most comparisons read
 * no key. The letter 0 never occurs in a key; here it means the end of the key.
 */
import { medianOfThree } from '../../collections/median.ts';
import { sequence } from '../../collections/typed-array.ts';

/** Ranges up to this length are sorted by insertion. */
const MAX_INSERTION_LENGTH = 12;

/** Returns the key numbers in sorted order. Key n is the letters from ends[n - 1] up to ends[n]. */
export function sortedOrder(units: Uint16Array, ends: Uint32Array): Uint32Array {
  const sort = new KeySort(units, ends);
  sort.run();
  return sort.order;
}

class KeySort {
  readonly order: Uint32Array;
  private readonly units: Uint16Array;
  private readonly ends: Uint32Array;
  /** Parallel to `order`: the two letters of each key at the depth of its range. */
  private readonly letters: Uint32Array;
  /** Unsorted ranges as a flat list: [start, end, common letters, …]. */
  private readonly pending: number[] = [];

  constructor(units: Uint16Array, ends: Uint32Array) {
    this.units = units;
    this.ends = ends;
    this.order = sequence(ends.length);
    this.letters = new Uint32Array(ends.length);
  }

  run(): void {
    this.push(0, this.order.length, 0);
    for (let depth = this.pending.pop(); depth !== undefined; depth = this.pending.pop()) {
      const hi = this.pending.pop()!;
      const lo = this.pending.pop()!;
      if (hi - lo <= MAX_INSERTION_LENGTH) this.insertionSort(lo, hi, depth);
      else this.partition(lo, hi, depth);
    }
  }

  /** Schedules a range whose keys share their first `depth` letters. */
  private push(lo: number, hi: number, depth: number): void {
    if (hi - lo < 2) return;
    for (let i = lo; i < hi; i++) this.letters[i] = this.lettersAt(this.order[i]!, depth);
    this.pending.push(lo, hi, depth);
  }

  /** Splits a range into keys less than, equal to and greater than the pivot. */
  private partition(lo: number, hi: number, depth: number): void {
    const { letters, pending } = this;
    const pivot = medianOfThree(letters[lo]!, letters[(lo + hi) >>> 1]!, letters[hi - 1]!);
    let less = lo;
    let greater = hi;
    for (let i = lo; i < greater; ) {
      const value = letters[i]!;
      if (value < pivot) this.swap(i++, less++);
      else if (value > pivot) this.swap(i, --greater);
      else i++;
    }
    if (less - lo > 1) pending.push(lo, less, depth);
    if (hi - greater > 1) pending.push(greater, hi, depth);
    // if the two letters include the end of the key, only one key has them
    if ((pivot & 0xffff) !== 0) this.push(less, greater, depth + 2);
  }

  private insertionSort(lo: number, hi: number, depth: number): void {
    for (let i = lo + 1; i < hi; i++) {
      for (let j = i; j > lo && this.isBefore(j, j - 1, depth); j--) this.swap(j, j - 1);
    }
  }

  private isBefore(i: number, j: number, depth: number): boolean {
    const a = this.letters[i]!;
    const b = this.letters[j]!;
    if (a !== b) return a < b;
    for (let at = depth + 2; ; at += 2) {
      const nextA = this.lettersAt(this.order[i]!, at);
      const nextB = this.lettersAt(this.order[j]!, at);
      if (nextA !== nextB) return nextA < nextB;
    }
  }

  private lettersAt(key: number, depth: number): number {
    const at = (key === 0 ? 0 : this.ends[key - 1]!) + depth;
    const end = this.ends[key]!;
    if (at >= end) return 0;
    return (this.units[at]! * 0x1_0000 + (at + 1 < end ? this.units[at + 1]! : 0)) >>> 0;
  }

  private swap(i: number, j: number): void {
    const { order, letters } = this;
    const key = order[i]!;
    order[i] = order[j]!;
    order[j] = key;
    const pair = letters[i]!;
    letters[i] = letters[j]!;
    letters[j] = pair;
  }
}
