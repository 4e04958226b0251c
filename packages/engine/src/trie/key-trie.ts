/**
 * Looks up the postings of keys that start with a text. A space sorts before every letter, so these
 * postings form three ranges: the key equal to the text, keys that go on with another word, and
 * keys in which the text's last word goes on.
 */
import type { Trie } from '../index-file/trie.ts';

const SPACE = 0x20;
export const MAX_TRIE_IMPORTANCE = 0xff;

export class KeyTrie {
  readonly trie: Trie;
  readonly postingCount: number;
  /** Bounds of the last lookup's ranges: lo..exactEnd, exactEnd..moreWordsEnd, moreWordsEnd..hi. */
  lo = 0;
  exactEnd = 0;
  moreWordsEnd = 0;
  hi = 0;
  /** Highest importance (0..1) in the last lookup's ranges, or a little more. */
  importance = 0;

  constructor(trie: Trie, postingCount: number) {
    this.trie = trie;
    this.postingCount = postingCount;
  }

  /** Sets the ranges of a text. Returns whether any key starts with the text. */
  find(text: string): boolean {
    const { edgeLetter, childStart, tailStart, tailLetters } = this.trie;
    let node = 0; // the node that the current edge leads to; first the root
    let nextSibling = 0; // see TrieCursor
    let at = 0; // index of the next letter of the text
    let tailAt = 0; // index in `tailLetters` of the next letter of the current edge
    while (at < text.length) {
      const end = childStart[node + 1]!;
      const next = findChild(edgeLetter, childStart[node]!, end, text.charCodeAt(at++));
      if (next === -1) return false;
      if (next + 1 < end) nextSibling = next + 1;
      node = next;
      tailAt = tailStart[node]!;
      const tailEnd = tailStart[node + 1]!;
      while (tailAt < tailEnd && at < text.length) {
        if (tailLetters[tailAt++] !== text.charCodeAt(at++)) return false;
      }
    }
    this.setRanges(node, tailAt, nextSibling);
    this.importance = this.trie.maxImportance[node]! / MAX_TRIE_IMPORTANCE;
    return true;
  }

  /** Sets the ranges of a text, given the TrieCursor fields of the point where the text ends. */
  setRanges(node: number, tailAt: number, nextSibling: number): void {
    const { edgeLetter, childStart, tailStart, postingStart, tailLetters } = this.trie;
    const postingsEnd = nextSibling === 0 ? this.postingCount : postingStart[nextSibling]!;
    this.lo = postingStart[node]!;
    this.hi = postingsEnd;
    if (tailAt < tailStart[node + 1]!) {
      // the text ends within an edge, so no key equals it, and all keys go on with the same letter
      this.exactEnd = this.lo;
      this.moreWordsEnd = tailLetters[tailAt] === SPACE ? postingsEnd : this.lo;
      return;
    }
    const first = childStart[node]!;
    const end = childStart[node + 1]!;
    // a node's own postings come before its children's
    this.exactEnd = first < end ? postingStart[first]! : postingsEnd;
    this.moreWordsEnd = this.exactEnd;
    // a space sorts before every letter, so only the first child can have it
    if (first < end && edgeLetter[first] === SPACE)
      this.moreWordsEnd = first + 1 < end ? postingStart[first + 1]! : postingsEnd;
  }
}

/** Up to this many children are compared one by one, which is faster than a binary search. */
const MAX_COMPARED = 8;

/** The child with this letter among `from` up to `to`, which are sorted by letter; -1 if none. */
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
