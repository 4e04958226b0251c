/**
 * A Bloom filter of how keys begin: for each key, its first 4, 6, … 14 letters. It tells from a few bits, without
 * reading the trie, that no key begins with a text; that one does, it may claim wrongly (about one time in ten).
 *
 * Hashes roll: that of a text and one more letter is `hash × FACTOR + letter` in 32 bits, so the hash of one text behind
 * another comes from theirs.
 */
export const START_FILTER = {
  least: 4,
  step: 2,
  most: 14,
  /** Bits for each start, before rounding up to a power of two. */
  bitsPerStart: 6,
} as const;

const FACTOR = 0x9e3779b1;
const SPREAD = 0x85ebca6b;

export function rolled(hash: number, letter: number): number {
  return (Math.imul(hash, FACTOR) + letter) | 0;
}

/** FACTOR to the powers 0, 1, …: what a hash is multiplied by when as many letters follow. */
export const factors: Int32Array = Int32Array.from({ length: 64 }, () => 1);
for (let i = 1; i < factors.length; i++) factors[i] = Math.imul(factors[i - 1]!, FACTOR);

/** Which bit of 2^`log2Bits` stands for a start. */
export function startBit(hash: number, log2Bits: number): number {
  return Math.imul(hash ^ (hash >>> 15), SPREAD) >>> (32 - log2Bits);
}
