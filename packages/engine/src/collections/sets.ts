/** A compact set of ids, an interner of strings, and groups of items. */

const BLOCK_BITS = 2 ** 16;

/**
 * A set of ids below 2^40, one bit each: two megabytes for a full GeoNames dump, not hundreds as in
 * a `Set`. Ids far apart take a block of eight kilobytes each.
 */
export class IdSet {
  readonly #blocks = new Map<number, Uint8Array>();

  /** Adds an id; returns false if the set already has it. */
  add(id: number): boolean {
    const blockNumber = Math.floor(id / BLOCK_BITS);
    let block = this.#blocks.get(blockNumber);
    if (block === undefined) {
      block = new Uint8Array(BLOCK_BITS / 8);
      this.#blocks.set(blockNumber, block);
    }
    const bit = id % BLOCK_BITS;
    const mask = 1 << (bit & 7);
    const byte = block[bit >> 3] ?? 0;
    if ((byte & mask) !== 0) return false;
    block[bit >> 3] = byte | mask;
    return true;
  }
}

/** Numbers distinct strings in the order of first use, after 0 for the empty string. */
export class Interner {
  readonly strings: string[] = [''];
  readonly #numbers = new Map([['', 0]]);

  intern(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.strings.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

/** Adds an item to the list of its key. */
export function addToGroup<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const items = groups.get(key);
  if (items === undefined) groups.set(key, [item]);
  else items.push(item);
}
