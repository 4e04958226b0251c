/** Ranges of postings that match a text, and how they match, in growing typed arrays. */
import { grown } from '../../collections/typed-array.ts';
import type { KeyTrie } from './key-trie.ts';

/** How the text matches the key: whole, followed by more words, or with an unfinished last word. */
export const MATCH = { exact: 0, words: 1, prefix: 2 } as const;

export class MatchRanges {
  count = 0;
  /** Total length of the ranges; overlaps count in each. */
  size = 0;
  /** Length of the longest range. */
  longest = 0;
  lo = new Uint32Array(256);
  hi = new Uint32Array(256);
  match = new Uint8Array(256);
  typos = new Uint8Array(256);

  clear(): void {
    this.count = 0;
    this.size = 0;
    this.longest = 0;
  }

  add(lo: number, hi: number, match: number, typos: number): void {
    if (lo >= hi) return;
    if (this.count === this.lo.length) this.grow();
    const i = this.count++;
    this.size += hi - lo;
    if (hi - lo > this.longest) this.longest = hi - lo;
    this.lo[i] = lo;
    this.hi[i] = hi;
    this.match[i] = match;
    this.typos[i] = typos;
  }

  /** Adds the ranges of the text found last; with `isUnfinished`, also longer last words. */
  addKeyRanges({ lo, exactEnd, wordsEnd, hi }: KeyTrie, typos: number, isUnfinished: boolean): void {
    this.add(lo, exactEnd, MATCH.exact, typos);
    this.add(exactEnd, wordsEnd, MATCH.words, typos);
    if (isUnfinished) this.add(wordsEnd, hi, MATCH.prefix, typos);
  }

  private grow(): void {
    this.lo = grown(this.lo);
    this.hi = grown(this.hi);
    this.match = grown(this.match);
    this.typos = grown(this.typos);
  }
}
