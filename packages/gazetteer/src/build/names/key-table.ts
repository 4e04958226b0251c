/**
 * Collects distinct keys, numbered in the order of addition, and sorts them at the end. Letters are
 * UTF-16 code units. A Map would take gigabytes, and holds at most 16.7 million keys.
 */
import { hashText } from 'toponym-engine/collections/hash';
import { medianOfThree } from 'toponym-engine/collections/sorting';
import { fillWith, GrowingArray, grown } from 'toponym-engine/collections/typed-array';

/** Keys in code unit order. Key i is the letters from begin[i] up to end[i]. */
export interface SortedKeys {
  readonly letters: Uint16Array;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
}

interface KeyOrder {
  readonly keys: SortedKeys;
  /** The number that `KeyTable.add` returned for each key. */
  readonly order: Uint32Array;
  /** Position of each key in code unit order, by that number. */
  readonly rank: Uint32Array;
}

export class KeyTable {
  private letters = new Uint16Array(1 << 12);
  private readonly ends = new GrowingArray(Uint32Array);
  /** Hash table of key numbers plus 1, with linear probing. 0 is a free slot. */
  private slots = new Uint32Array(1 << 10);
  /** By key number. Half as long as `slots`, which are at most half full. */
  private hashes = new Int32Array(1 << 9);

  get size(): number {
    return this.ends.length;
  }

  /** Returns the number of the key, which is added unless present. */
  add(key: string): number {
    const mask = this.slots.length - 1;
    const hash = hashText(key);
    let slot = hash & mask;
    for (let found = this.slots[slot]!; found !== 0; found = this.slots[slot]!) {
      if (this.hashes[found - 1] === hash && this.isEqual(found - 1, key)) return found - 1;
      slot = (slot + 1) & mask;
    }
    return this.append(key, hash, slot);
  }

  /** Leaves out keys that are not used. No keys can be added afterwards. */
  sort(isUsed: (keyNumber: number) => boolean = () => true): KeyOrder {
    this.slots = new Uint32Array();
    this.hashes = new Int32Array();
    const letters = this.letters.subarray(0, this.keyStart(this.size));
    const ends = this.ends.view();
    const order = new KeySort(letters, ends, this.usedKeys(isUsed)).run();
    const rank = new Uint32Array(this.size);
    order.forEach((keyNumber, i) => {
      rank[keyNumber] = i;
    });
    const begin = fillWith(new Uint32Array(order.length), (i) => this.keyStart(order[i]!));
    const end = fillWith(new Uint32Array(order.length), (i) => ends[order[i]!]!);
    return { keys: { letters, begin, end }, order, rank };
  }

  /** `TypedArray.filter` would hold all numbers as objects. */
  private usedKeys(isUsed: (keyNumber: number) => boolean): Uint32Array {
    const used = new Uint32Array(this.size);
    let count = 0;
    for (let keyNumber = 0; keyNumber < this.size; keyNumber++) if (isUsed(keyNumber)) used[count++] = keyNumber;
    return used.subarray(0, count);
  }

  private keyStart(keyNumber: number): number {
    return keyNumber === 0 ? 0 : this.ends.at(keyNumber - 1);
  }

  private isEqual(keyNumber: number, key: string): boolean {
    const start = this.keyStart(keyNumber);
    if (this.ends.at(keyNumber) - start !== key.length) return false;
    let i = 0;
    while (i < key.length && this.letters[start + i] === key.charCodeAt(i)) i++;
    return i === key.length;
  }

  private append(key: string, hash: number, slot: number): number {
    const keyNumber = this.size;
    const start = this.keyStart(keyNumber);
    if (start + key.length > this.letters.length) this.letters = grown(this.letters, start + key.length);
    for (let i = 0; i < key.length; i++) this.letters[start + i] = key.charCodeAt(i);
    this.ends.push(start + key.length);
    this.hashes[keyNumber] = hash;
    this.slots[slot] = keyNumber + 1;
    if (2 * this.size >= this.slots.length) this.growSlotsAndHashes();
    return keyNumber;
  }

  private growSlotsAndHashes(): void {
    const slots = new Uint32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let keyNumber = 0; keyNumber < this.size; keyNumber++) {
      let slot = this.hashes[keyNumber]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = keyNumber + 1;
    }
    this.slots = slots;
    this.hashes = grown(this.hashes);
  }
}

const MAX_INSERTION_LENGTH = 12;

/**
 * Sorts distinct keys in code unit order by multikey quicksort. The next two letters of each key
 * are cached as one number (a pair). The letter 0 never occurs in a key and means its end.
 */
class KeySort {
  private readonly order: Uint32Array;
  private readonly letters: Uint16Array;
  private readonly ends: Uint32Array;
  /** Parallel to `order`. */
  private readonly pairs: Uint32Array;
  /** Flat list: [lo, hi, depth, …]. The keys of a range share their first `depth` letters. */
  private readonly pending: number[] = [];

  constructor(letters: Uint16Array, ends: Uint32Array, order: Uint32Array) {
    this.letters = letters;
    this.ends = ends;
    this.order = order;
    this.pairs = new Uint32Array(order.length);
  }

  /** Returns key numbers. */
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
