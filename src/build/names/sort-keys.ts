/**
 * Sorts distinct keys in code unit order by multikey quicksort. The next two letters of each key
 * are cached as one number (a pair). The letter 0 never occurs in a key and means its end.
 */
import { medianOfThree } from '../../collections/sorting.ts';
import { sequence } from '../../collections/typed-array.ts';

const MAX_INSERTION_LENGTH = 12;

/** Returns key numbers. Key n is the letters from ends[n - 1] up to ends[n]. */
export function sortedOrder(letters: Uint16Array, ends: Uint32Array): Uint32Array {
  return new KeySort(letters, ends).run();
}

class KeySort {
  private readonly order: Uint32Array;
  private readonly letters: Uint16Array;
  private readonly ends: Uint32Array;
  /** Parallel to `order`. */
  private readonly pairs: Uint32Array;
  /** Flat list: [lo, hi, depth, …]. The keys of a range share their first `depth` letters. */
  private readonly pending: number[] = [];

  constructor(letters: Uint16Array, ends: Uint32Array) {
    this.letters = letters;
    this.ends = ends;
    this.order = sequence(ends.length);
    this.pairs = new Uint32Array(ends.length);
  }

  run(): Uint32Array {
    this.pushWithNewPairs(0, this.order.length, 0);
    for (let depth = this.pending.pop(); depth !== undefined; depth = this.pending.pop()) {
      const hi = this.pending.pop()!;
      const lo = this.pending.pop()!;
      if (hi - lo <= MAX_INSERTION_LENGTH) this.insertionSort(lo, hi, depth);
      else this.partition(lo, hi, depth);
    }
    return this.order;
  }

  private pushWithNewPairs(lo: number, hi: number, depth: number): void {
    if (hi - lo < 2) return;
    for (let i = lo; i < hi; i++) this.pairs[i] = this.pairAt(this.order[i]!, depth);
    this.pending.push(lo, hi, depth);
  }

  private partition(lo: number, hi: number, depth: number): void {
    const { pairs, pending } = this;
    const pivot = medianOfThree(pairs[lo]!, pairs[(lo + hi) >>> 1]!, pairs[hi - 1]!);
    let less = lo;
    let greater = hi;
    for (let i = lo; i < greater; ) {
      const pair = pairs[i]!;
      if (pair < pivot) this.swap(i++, less++);
      else if (pair > pivot) this.swap(i, --greater);
      else i++;
    }
    // these two parts keep their depth, so their cached pairs stay valid
    if (less - lo > 1) pending.push(lo, less, depth);
    if (hi - greater > 1) pending.push(greater, hi, depth);
    // a pivot with the end of a key (0) belongs to one key, because keys are distinct
    if ((pivot & 0xffff) !== 0) this.pushWithNewPairs(less, greater, depth + 2);
  }

  private insertionSort(lo: number, hi: number, depth: number): void {
    for (let i = lo + 1; i < hi; i++) {
      for (let j = i; j > lo && this.isBefore(j, j - 1, depth); j--) this.swap(j, j - 1);
    }
  }

  private isBefore(i: number, j: number, depth: number): boolean {
    const a = this.pairs[i]!;
    const b = this.pairs[j]!;
    if (a !== b) return a < b;
    // distinct keys differ at their end at the latest
    for (let at = depth + 2; ; at += 2) {
      const nextA = this.pairAt(this.order[i]!, at);
      const nextB = this.pairAt(this.order[j]!, at);
      if (nextA !== nextB) return nextA < nextB;
    }
  }

  private pairAt(key: number, depth: number): number {
    const at = (key === 0 ? 0 : this.ends[key - 1]!) + depth;
    const end = this.ends[key]!;
    if (at >= end) return 0;
    return (this.letters[at]! * 0x1_0000 + (at + 1 < end ? this.letters[at + 1]! : 0)) >>> 0;
  }

  private swap(i: number, j: number): void {
    const { order, pairs } = this;
    const key = order[i]!;
    order[i] = order[j]!;
    order[j] = key;
    const pair = pairs[i]!;
    pairs[i] = pairs[j]!;
    pairs[j] = pair;
  }
}
