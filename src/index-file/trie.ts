import type { Sections } from './layout.ts';

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
