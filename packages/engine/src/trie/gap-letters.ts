/**
 * Asks a gap filter (index-file/trie.ts) whether any key may start with a prefix and continue
 * with the rest of the query's text. If one letter of the prefix is unknown (the gap), the answer
 * is the set of letters that may fill the gap. Letters whose codes are equal modulo 32 share a bit
 * of the set.
 */
import { appendLetter, appendLetters, firstCell, GAP, secondCell } from '../index-file/trie.ts';

export const ANY_LETTER = -1; // all 32 bits
export const NO_LETTER = 0;
const TEXT_CAPACITY = 64;

/** Whether a set may contain a letter. `>>>` takes the letter modulo 32. */
export function hasLetter(set: number, letter: number): boolean {
  return ((set >>> letter) & 1) !== 0;
}

export class GapLetters {
  private readonly cells: Int32Array;
  private readonly log2Cells: number;
  /** coveredLength[n]: the longest length, up to n, of prefixes in the filter; 0 if none. */
  private readonly coveredLength = new Uint8Array(2 * TEXT_CAPACITY); // typos make keys longer than the text
  readonly letters = new Uint16Array(TEXT_CAPACITY);
  /** hashes[i] is the hash of the text's first i letters. */
  private readonly hashes = new Int32Array(TEXT_CAPACITY + 1);
  private textLength = 0;

  /** The filter contains the prefixes of each key that have these `lengths` (ascending). */
  constructor(cells: Int32Array, lengths: readonly number[]) {
    this.cells = cells;
    this.log2Cells = Math.log2(cells.length);
    for (const length of lengths) this.coveredLength.fill(length, /* start */ length);
  }

  /** The text may have up to TEXT_CAPACITY letters. */
  setText(text: string): void {
    this.textLength = text.length;
    for (let i = 0; i < text.length; i++) {
      this.letters[i] = text.charCodeAt(i);
      this.hashes[i + 1] = appendLetter(this.hashes[i]!, text.charCodeAt(i));
    }
  }

  /**
   * The letters that may fill the gap in a prefix that the text from index `at` on follows.
   * `prefixHash` is computed with GAP in place of the unknown letter.
   */
  lettersInGap(prefixHash: number, prefixLength: number, at: number): number {
    const keyLength = prefixLength + this.textLength - at;
    const covered = this.coveredLength[keyLength]!;
    if (covered < prefixLength) return ANY_LETTER; // the filter covers only a part of the prefix
    const coveredEnd = at + covered - prefixLength; // the end of the covered part of the text
    return this.lettersFor(appendLetters(prefixHash, this.hashes, at, coveredEnd));
  }

  /** Whether some key may start with a prefix (without a gap) and the text from index `at` on. */
  mayContinue(prefixHash: number, prefixLength: number, at: number): boolean {
    const keyLength = prefixLength + this.textLength - at;
    const covered = this.coveredLength[keyLength]!;
    if (covered <= prefixLength) return true; // the filter covers none of the text
    // looks up the last covered letter as a gap, and checks that the letter itself may fill it
    const last = at + covered - prefixLength - 1;
    const letters = this.lettersFor(appendLetter(appendLetters(prefixHash, this.hashes, at, last), GAP));
    return hasLetter(letters, this.letters[last]!);
  }

  private lettersFor(hash: number): number {
    const first = firstCell(hash, this.log2Cells);
    return this.cells[first]! & this.cells[secondCell(hash, first)]!;
  }
}
