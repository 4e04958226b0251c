/**
 * Collects distinct keys, numbered in the order of addition, and sorts them at the end. Letters are
 * UTF-16 code units. A Map would take gigabytes, and holds at most 16.7 million keys.
 */

import { hashText } from '../../collections/hash.ts';
import { fillWith, GrowingArray, grown } from '../../collections/typed-array.ts';
import { sortedOrder } from './sort-keys.ts';

/** Keys in code unit order. Key i is the letters from begin[i] up to end[i]. */
export interface SortedKeys {
  readonly letters: Uint16Array;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
  /** Position of each key in code unit order, by the number that `KeyTable.add` returned. */
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

  sort(): SortedKeys {
    const letters = this.letters.subarray(0, this.keyStart(this.size));
    const ends = this.ends.view();
    const order = sortedOrder(letters, ends);
    const rank = new Uint32Array(order.length);
    order.forEach((keyNumber, i) => {
      rank[keyNumber] = i;
    });
    return {
      letters,
      begin: fillWith(new Uint32Array(order.length), (i) => this.keyStart(order[i]!)),
      end: fillWith(new Uint32Array(order.length), (i) => ends[order[i]!]!),
      rank,
    };
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
