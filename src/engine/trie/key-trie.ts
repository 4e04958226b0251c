/**
 * Looks up the postings of keys that start with a text. A space sorts before every letter, so these
 * postings form three ranges: the key equal to the text, keys with more words, and keys with a
 * longer last word. index-file/trie.ts describes the arrays of the trie.
 */
import type { Trie } from '../../index-file/trie.ts';

const SPACE = 0x20;

export class KeyTrie {
  readonly trie: Trie;
  readonly postingCount: number;
  /** The ranges of the last lookup: lo..exactEnd, exactEnd..moreWordsEnd and moreWordsEnd..hi. */
  lo = 0;
  exactEnd = 0;
  moreWordsEnd = 0;
  hi = 0;

  constructor(trie: Trie, postingCount: number) {
    this.trie = trie;
    this.postingCount = postingCount;
  }

  /** Sets the ranges; returns whether any key starts with the text. */
  find(text: string): boolean {
    const { edgeLetter, childStart, tailStart, postingStart, tailLetters } = this.trie;
    let node = 0; // the node that the current edge leads to
    let hi = this.postingCount; // end of the postings at or below the node
    let at = 0;
    let tailAt = 0; // index in `tailLetters` of the next letter of the current edge
    while (at < text.length) {
      const end = childStart[node + 1]!;
      const next = findChild(edgeLetter, childStart[node]!, end, text.charCodeAt(at++));
      if (next === -1) return false;
      if (next + 1 < end) hi = postingStart[next + 1]!; // the last child's end where its parent's end
      node = next;
      tailAt = tailStart[node]!;
      const tailEnd = tailStart[node + 1]!;
      while (tailAt < tailEnd && at < text.length) {
        if (tailLetters[tailAt++] !== text.charCodeAt(at++)) return false;
      }
    }
    this.setRanges(node, tailAt, hi);
    return true;
  }

  /** Sets the ranges of the text that leads to a position: see the fields of TrieCursor. */
  setRanges(node: number, tailAt: number, hi: number): void {
    const { edgeLetter, childStart, tailStart, postingStart, tailLetters } = this.trie;
    this.lo = postingStart[node]!;
    this.hi = hi;
    if (tailAt < tailStart[node + 1]!) {
      // the text ends within an edge, so no key equals it, and all keys go on with the same letter
      this.exactEnd = this.lo;
      this.moreWordsEnd = tailLetters[tailAt] === SPACE ? hi : this.lo;
      return;
    }
    const first = childStart[node]!;
    const end = childStart[node + 1]!;
    this.exactEnd = first < end ? postingStart[first]! : hi; // a node's own postings come before its children's
    this.moreWordsEnd = this.exactEnd;
    if (first < end && edgeLetter[first] === SPACE) this.moreWordsEnd = first + 1 < end ? postingStart[first + 1]! : hi;
  }
}

/** Up to this many children are compared one by one, which is faster than a binary search. */
const MAX_COMPARED = 8;

/** Finds the child with the letter among children `from` up to `to`, sorted by letter; else -1. */
export function findChild(edgeLetter: Uint16Array, from: number, to: number, letter: number): number {
  let lo = from;
  let hi = to;
  while (hi - lo > MAX_COMPARED) {
    const middle = (lo + hi) >>> 1;
    if (edgeLetter[middle]! <= letter) lo = middle;
    else hi = middle;
  }
  for (let i = lo; i < hi; i++) if (edgeLetter[i] === letter) return i;
  return -1;
}
