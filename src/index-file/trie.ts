import type { Sections } from './layout.ts';

/**
 * A path-compressed trie of sorted keys in flat arrays, laid out breadth-first: the children of a
 * node are consecutive, in the order of their first letters, and a node's children end where the
 * next node's start.
 *
 *   char[n]                first letter of the edge into n
 *   tail[n]..tail[n+1]     other letters of the edge, in `tails`
 *   child[n]..child[n+1]   children of n
 *   value[n]               first posting at or below n
 *   best[n]                maximum importance at or below n, scaled to 0..255 and rounded up
 *   main[n]                1 if a key at or below n starts at the first word of a main name; else 0
 *
 * Postings are in key order, so the postings at or below a node are one range: from value[n] to the
 * value of its next sibling, or to the end of its parent's range if it is the last sibling. The
 * postings of n's own key come before those of its first child.
 */
export interface Trie {
  readonly char: Uint16Array;
  readonly child: Uint32Array;
  readonly tail: Uint32Array;
  readonly value: Uint32Array;
  readonly best: Uint8Array;
  readonly main: Uint8Array;
  readonly tails: Uint16Array;
  /** Gap filter of all keys (see gap-filter.ts); `mainGaps` is that of main names. */
  readonly gaps: Int32Array;
  readonly mainGaps: Int32Array;
}

/** The sections of a trie begin with its name. */
export type TrieName = 'nameTrie' | 'regionTrie';

export function openTrie(index: Sections, name: TrieName): Trie {
  return {
    char: index[`${name}Char`],
    child: index[`${name}Child`],
    tail: index[`${name}Tail`],
    value: index[`${name}Value`],
    best: index[`${name}Best`],
    main: index[`${name}Main`],
    tails: index[`${name}Tails`],
    gaps: index[`${name}Gaps`],
    mainGaps: index[`${name}MainGaps`],
  };
}
