/**
 * Gap filter: a Bloom filter that says which letters can fill a gap in a prefix of a key, without
 * reading the trie. If a key starts with `berlin`, then `l` can fill `ber_in`. Each letter of each
 * prefix is left out in turn: the hash of `ber_in` picks two cells of 32 bits, and `l` picks a bit
 * that is set in both. So one lookup gives all letters that may fill a gap. With the embedded
 * places, the rate of false positives is about 2 to 5%.
 *
 * Hashes roll: appending a letter gives `hash × FACTOR + letter` in 32 bits, so the hash of two
 * concatenated texts is computed from their hashes.
 */

/**
 * Lengths of the prefixes in the two filters: of all keys, and of keys that start at the first word
 * of a main name. Searches with typos read the filter of main names more often, and for shorter
 * queries, so it has more lengths. Why not 4 and 8 for all keys: their filter would be three times
 * as large. Why not 10 and 12 for main names: they would rule out few more keys, and save no time.
 */
export const GAP_LENGTHS = { all: [6], main: [4, 6, 8] } as const;
/**
 * Bits for each entry (a prefix with one letter left out), before the size of the filter is rounded
 * up to a power of two. Why not 24: typo walks are 3 to 13% faster, but the filters twice as large.
 */
export const BITS_PER_ENTRY = 12;
/** Cells per block, a cache line: both cells of an entry are in the same block. */
export const BLOCK_CELLS = 16;
/** Hashed in place of the letter left out. No letter has this code. */
export const GAP = 0xffff;

// odd multipliers that mix bits well: the first is from xxHash, the others from MurmurHash3
const FACTOR = 0x9e3779b1;
const SPREAD = 0x85ebca6b;
const SPREAD_SECOND = 0xc2b2ae35;

/** Hash of a text with one more letter. */
export function appendLetter(hash: number, letter: number): number {
  return (Math.imul(hash, FACTOR) + letter) | 0;
}

/**
 * `factors[n]` is FACTOR to the power n: appending n letters multiplies a hash by it. There are
 * more than enough for the longest prefix in a filter.
 */
const factors = new Int32Array(64).fill(1);
for (let i = 1; i < factors.length; i++) factors[i] = Math.imul(factors[i - 1]!, FACTOR);

/**
 * Hash of a text (whose own hash is `hash`) followed by the letters `from` up to `to` of another
 * text. `hashes[i]` is the hash of the other text's first i letters.
 */
export function appendLetters(hash: number, hashes: Int32Array, from: number, to: number): number {
  const factor = factors[to - from]!;
  // hash × factor + the hash of the added letters, which is hashes[to] - hashes[from] × factor
  return (Math.imul(hash - hashes[from]!, factor) + hashes[to]!) | 0;
}

/** Index of the first cell that a hash picks, out of 2 ** `log2Cells`. */
export function firstCell(hash: number, log2Cells: number): number {
  return Math.imul(hash ^ (hash >>> 15), SPREAD) >>> (32 - log2Cells);
}

/** Index of the second cell: XOR with 1 to 15 gives another cell in the block of the first. */
export function secondCell(hash: number, first: number): number {
  return first ^ (1 + ((Math.imul(hash, SPREAD_SECOND) >>> 16) % (BLOCK_CELLS - 1)));
}
