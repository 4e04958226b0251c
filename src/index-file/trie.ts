import type { Sections } from './layout.ts';

/**
 * A path-compressed trie of sorted keys in flat arrays, laid out breadth-first: the children of a
 * node are consecutive, in the order of their first letters, and a node's children end where the
 * next node's start. The postings of a key are the places or regions that it leads to.
 *
 *   edgeLetter[n]       first letter of the edge into n
 *   tailStart[n]        where the other letters of the edge start in `tailLetters`; they end at
 *                       tailStart[n + 1]
 *   childStart[n]       first child of n; the children end at childStart[n + 1]
 *   postingStart[n]     first posting at or below n
 *   maxImportance[n]    maximum importance at or below n, scaled to 0..255 and rounded up
 *   hasMainName[n]      1 if a key at or below n starts at the first word of a main name; else 0
 *
 * Postings are in key order, so the postings at or below node n are one range. It starts at
 * postingStart[n] and ends where the range of the next sibling starts, or, for a last sibling, with
 * the parent's range. The postings of n's own key come before those of its first child.
 */
export interface Trie {
  readonly edgeLetter: Uint16Array;
  readonly tailStart: Uint32Array;
  readonly tailLetters: Uint16Array;
  readonly childStart: Uint32Array;
  readonly postingStart: Uint32Array;
  readonly maxImportance: Uint8Array;
  readonly hasMainName: Uint8Array;
  /** Gap filter of all keys: see gap-filter.ts. */
  readonly gaps: Int32Array;
  /** Gap filter of the keys of main names, except those that start at a later word. */
  readonly mainGaps: Int32Array;
}

/** Name of a trie, with which the names of its sections begin. */
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
