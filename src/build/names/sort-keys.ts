/**
 * Distinct keys in code unit order, by multikey quicksort: keys that begin alike are not compared from their beginning
 * again. The next two letters of each key are kept beside its number, so that most comparisons touch no key.
 * Letters are never 0, which stands for the end of a key.
 */
import { medianOfThree } from '../../collections/median.ts';
import { sequence } from '../../collections/typed-array.ts';

/** Shorter ranges are sorted by insertion. */
const SMALL = 12;

/** The numbers of the keys, sorted. Key n has the letters from the end of the key before it to ends[n]. */
export function sortedOrder(units: Uint16Array, ends: Uint32Array): Uint32Array {
  const sort = new KeySort(units, ends);
  sort.run();
  return sort.order;
}

class KeySort {
  readonly order: Uint32Array;
  private readonly units: Uint16Array;
  private readonly ends: Uint32Array;
  /** Of the key at the same place in `order`: its two letters at the depth of the range it is in. */
  private readonly letters: Uint32Array;
  /** Ranges still to be sorted: first, behind the last, and how many letters they have in common. */
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
      if (hi - lo <= SMALL) this.insert(lo, hi, depth);
      else this.partition(lo, hi, depth);
    }
  }

  /** A range whose keys have `depth` letters in common. */
  private push(lo: number, hi: number, depth: number): void {
    if (hi - lo < 2) return;
    for (let i = lo; i < hi; i++) this.letters[i] = this.lettersAt(this.order[i]!, depth);
    this.pending.push(lo, hi, depth);
  }

  /** Three parts: less than the pivot, equal, greater. */
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
    // with the end of the key among the two letters there is one such key only
    if ((pivot & 0xffff) !== 0) this.push(less, greater, depth + 2);
  }

  private insert(lo: number, hi: number, depth: number): void {
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
