/**
 * A filter that tells which letters may stand in a gap. Of each key the first few letters are entered, each of them
 * left out in turn: what is around the gap chooses two words of 32 bits, and the letter a bit of both. So one look tells of
 * all letters at once, without reading the trie, which of them some key may have between a beginning and what follows. That some key has a letter there
 * may be wrong (with the embedded places, of 100 letters for about 2 to 5).
 *
 * Hashes roll: that of a text and one more letter is `hash × FACTOR + letter` in 32 bits, so the hash of one text behind
 * another comes from theirs.
 */

/**
 * How many first letters are entered: of all keys, and, in a filter of their own, of main names, which are looked for most and
 * with the fewest letters. With 4 and 8 of all keys too the filter would be three times as large; with 10 and 12 of main names
 * fewer ways are followed in vain, but no time is won.
 */
export const GAP_LENGTHS = { all: [6], main: [4, 6, 8] } as const;
/** Bits for each entry, before rounding up to a power of two: twice as many made walks 3 to 13% faster. */
export const BITS_PER_ENTRY = 12;
/** Both words of an entry lie in a block of this many: a line of the processor's cache. */
export const BLOCK_WORDS = 16;
/** Stands for the gap: no letter. */
export const GAP = 0xffff;

const FACTOR = 0x9e3779b1;
const SPREAD = 0x85ebca6b;
const SPREAD_SECOND = 0xc2b2ae35;

export function rolled(hash: number, letter: number): number {
  return (Math.imul(hash, FACTOR) + letter) | 0;
}

/** FACTOR to the powers 0, 1, …: what a hash is multiplied by when as many letters follow. */
export const factors: Int32Array = Int32Array.from({ length: 64 }, () => 1);
for (let i = 1; i < factors.length; i++) factors[i] = Math.imul(factors[i - 1]!, FACTOR);

/** The hash of a text, of the letters of another from `from` to `to` behind it. `hashes[i]`: of the other's first i. */
export function joined(hash: number, hashes: Int32Array, from: number, to: number): number {
  const factor = factors[to - from]!;
  return (Math.imul(hash - hashes[from]!, factor) + hashes[to]!) | 0;
}

/** Which of 2^`log2Words` words has the letters of a gap. */
export function firstWord(hash: number, log2Words: number): number {
  return Math.imul(hash ^ (hash >>> 15), SPREAD) >>> (32 - log2Words);
}

/** Which other one of the same block has them too. */
export function secondWord(hash: number, first: number): number {
  return first ^ (1 + ((Math.imul(hash, SPREAD_SECOND) >>> 16) % (BLOCK_WORDS - 1)));
}
