/**
 * The tries of names and regions, and their gap filters.
 *
 * Gap filter: a Bloom filter that says which letters can fill a gap in a prefix of a key. If a key
 * starts with `berlin`, then `l` can fill `ber_in`. The hash of `ber_in` picks two cells of 32
 * bits, and `l` picks a bit that is set in both. The rate of false positives is about 2 to 5%.
 */
import type { SectionName, Sections } from './layout.ts';

/**
 * A path-compressed trie of sorted keys in flat arrays, laid out breadth-first. The children of a
 * node are consecutive, in the order of their first letters.
 *
 *   edgeLetter[n]       first letter of the edge into n
 *   tailStart[n]        start of the other letters in `tailLetters`; the end is tailStart[n + 1]
 *   childStart[n]       first child of n; the end is childStart[n + 1]
 *   postingStart[n]     first posting at or below n
 *   maxImportance[n]    maximum importance at or below n, 0..255, rounded up
 *   hasMainName[n]      1 if a key at or below n starts at the first word of a main name; else 0
 *
 * The postings at or below n end where those of the next sibling start. For a last sibling, they
 * end with those of the parent. The postings of n's own key come before those of its first child.
 */
export interface Trie {
  readonly edgeLetter: Uint16Array;
  readonly tailStart: Uint32Array;
  readonly tailLetters: Uint16Array;
  readonly childStart: Uint32Array;
  readonly postingStart: Uint32Array;
  readonly maxImportance: Uint8Array;
  readonly hasMainName: Uint8Array;
  /** Gap filter of all keys. */
  readonly gaps: Int32Array;
  /** Gap filter of the keys that start at the first word of a main name. */
  readonly mainGaps: Int32Array;
}

export type TrieName = 'nameTrie' | 'regionTrie';

export function openTrie(index: Sections, name: TrieName): Trie {
  return {
    edgeLetter: index[`${name}EdgeLetter`],
    tailStart: index[`${name}TailStart`],
    tailLetters: index[`${name}TailLetters`],
    childStart: index[`${name}ChildStart`],
    postingStart: index[`${name}PostingStart`],
    maxImportance: index[`${name}MaxImportance`],
    hasMainName: index[`${name}HasMainName`],
    gaps: index[`${name}Gaps`],
    mainGaps: index[`${name}MainGaps`],
  };
}

export type TrieSections<Name extends TrieName> = Pick<Sections, Extract<SectionName, `${Name}${string}`>>;

export function trieSections<Name extends TrieName>(trie: Trie, name: Name): TrieSections<Name> {
  return {
    [`${name}EdgeLetter`]: trie.edgeLetter,
    [`${name}TailStart`]: trie.tailStart,
    [`${name}TailLetters`]: trie.tailLetters,
    [`${name}ChildStart`]: trie.childStart,
    [`${name}PostingStart`]: trie.postingStart,
    [`${name}MaxImportance`]: trie.maxImportance,
    [`${name}HasMainName`]: trie.hasMainName,
    [`${name}Gaps`]: trie.gaps,
    [`${name}MainGaps`]: trie.mainGaps,
  } as TrieSections<Name>;
}

/**
 * Lengths of the prefixes in the two filters: of all keys, and of keys that start at the first word
 * of a main name. Lengths 4 and 8 for all keys would make the filter three times as large. Lengths
 * 10 and 12 for main names would save no time.
 */
export const GAP_LENGTHS = { all: [6], main: [4, 6, 8] } as const;
/** An entry is a prefix with a gap. 24 bits save 3 to 13% of the time, but double the size. */
export const BITS_PER_ENTRY = 12;
/** Both cells of an entry are in one block, a cache line. */
export const BLOCK_CELLS = 16;
/** Stands for the gap. No letter has this code. */
export const GAP = 0xffff;

// the first is from xxHash, the others from MurmurHash3
const FACTOR = 0x9e3779b1;
const SPREAD = 0x85ebca6b;
const SPREAD_SECOND = 0xc2b2ae35;

export function appendLetter(hash: number, letter: number): number {
  return (Math.imul(hash, FACTOR) + letter) | 0;
}

/** `factors[n]` is FACTOR to the power n. */
const factors = new Int32Array(64).fill(1);
for (let i = 1; i < factors.length; i++) factors[i] = Math.imul(factors[i - 1]!, FACTOR);

/** Appends the letters `from` up to `to` of a text. `hashes[i]` covers its first i letters. */
export function appendLetters(hash: number, hashes: Int32Array, from: number, to: number): number {
  const factor = factors[to - from]!;
  // the hash of the added letters is hashes[to] - hashes[from] × factor
  return (Math.imul(hash - hashes[from]!, factor) + hashes[to]!) | 0;
}

export function firstCell(hash: number, log2Cells: number): number {
  return Math.imul(hash ^ (hash >>> 15), SPREAD) >>> (32 - log2Cells);
}

/** XOR with 1 to 15 gives another cell in the same block. */
export function secondCell(hash: number, first: number): number {
  return first ^ (1 + ((Math.imul(hash, SPREAD_SECOND) >>> 16) % (BLOCK_CELLS - 1)));
}
