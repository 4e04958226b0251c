/**
 * Ranges of postings whose keys match a text, and how they match. The position of a posting is its
 * index among all postings of the trie.
 */
import { grown } from '../../collections/typed-array.ts';
import type { KeyTrie } from './key-trie.ts';

/** How a key matches a text, typos aside: it is the text, has more words or a longer last word. */
export const MATCH = { whole: 0, moreWords: 1, unfinished: 2 } as const;

export class MatchRanges {
  count = 0;
  /** A posting in two ranges counts twice. */
  totalLength = 0;
  maxLength = 0;
  lo = new Uint32Array(256);
  /** Position after the last posting of each range. */
  hi = new Uint32Array(256);
  /** Values of MATCH. */
  match = new Uint8Array(256);
  typos = new Uint8Array(256);

  clear(): void {
    this.count = 0;
    this.totalLength = 0;
    this.maxLength = 0;
  }

  add(lo: number, hi: number, match: number, typos: number): void {
    if (lo >= hi) return;
    if (this.count === this.lo.length) this.grow();
    const i = this.count++;
    this.totalLength += hi - lo;
    if (hi - lo > this.maxLength) this.maxLength = hi - lo;
    this.lo[i] = lo;
    this.hi[i] = hi;
    this.match[i] = match;
    this.typos[i] = typos;
  }

  /** Adds the ranges of the trie's last lookup, that of longer last words only if `isPrefix`. */
  addKeyRanges({ lo, exactEnd, moreWordsEnd, hi }: KeyTrie, typos: number, isPrefix: boolean): void {
    this.add(lo, exactEnd, MATCH.whole, typos);
    this.add(exactEnd, moreWordsEnd, MATCH.moreWords, typos);
    if (isPrefix) this.add(moreWordsEnd, hi, MATCH.unfinished, typos);
  }

  private grow(): void {
    this.lo = grown(this.lo);
    this.hi = grown(this.hi);
    this.match = grown(this.match);
    this.typos = grown(this.typos);
  }
}
