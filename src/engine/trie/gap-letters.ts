/**
 * Reads a gap filter (index-file/gap-filter.ts). It is asked about keys that start with a prefix
 * and go on like the query's text. The gap is one letter of the prefix that is left open: which
 * letters may the keys have there? A set of letters is 32 bits; letters whose codes are equal
 * modulo 32 share a bit.
 */
import { appendLetter, appendLetters, firstCell, GAP, secondCell } from '../../index-file/gap-filter.ts';

/** The set of all letters. */
export const ANY_LETTER = -1;
export const NO_LETTER = 0;
const MAX_TEXT_LENGTH = 64;

/** Whether a set may contain a letter. */
export function hasLetter(set: number, letter: number): boolean {
  return ((set >>> letter) & 1) !== 0;
}

export class GapLetters {
  private readonly filter: Int32Array;
  private readonly log2Cells: number;
  /** For each length of a key, how many of its first letters the filter covers. */
  private readonly coveredLength = new Uint8Array(2 * MAX_TEXT_LENGTH);
  /** Letters of the text. */
  readonly letters = new Uint16Array(MAX_TEXT_LENGTH);
  /** hashes[i] is the hash of the text's first i letters. */
  private readonly hashes = new Int32Array(MAX_TEXT_LENGTH + 1);
  private textLength = 0;

  /** `lengths`, ascending: the filter covers the first letters of keys, up to each length. */
  constructor(filter: Int32Array, lengths: readonly number[]) {
    this.filter = filter;
    this.log2Cells = Math.log2(filter.length);
    for (const length of lengths) this.coveredLength.fill(length, /* from */ length);
  }

  /** Sets the query's text, of up to MAX_TEXT_LENGTH letters. */
  setText(text: string): void {
    this.textLength = text.length;
    for (let i = 0; i < text.length; i++) {
      this.letters[i] = text.charCodeAt(i);
      this.hashes[i + 1] = appendLetter(this.hashes[i]!, text.charCodeAt(i));
    }
  }

  /**
   * Letters that may fill the gap in a prefix if the text from `at` follows it. `prefixHash` was
   * computed with GAP in place of the letter.
   */
  lettersInGap(prefixHash: number, prefixLength: number, at: number): number {
    const covered = this.coveredLength[prefixLength + this.textLength - at]!;
    if (covered < prefixLength) return ANY_LETTER; // the filter covers no prefix this long
    const coveredEnd = at + covered - prefixLength;
    return this.lettersFor(appendLetters(prefixHash, this.hashes, at, coveredEnd));
  }

  /** Whether the text from `at` may follow a prefix without a gap. */
  mayContinue(prefixHash: number, prefixLength: number, at: number): boolean {
    const covered = this.coveredLength[prefixLength + this.textLength - at]!;
    if (covered <= prefixLength) return true;
    // looks up the last letter that the filter covers as if it were a gap
    const last = at + covered - prefixLength - 1;
    const letters = this.lettersFor(appendLetter(appendLetters(prefixHash, this.hashes, at, last), GAP));
    return hasLetter(letters, this.letters[last]!);
  }

  /** Letters for the gap in the covered letters of a key; `hash` is their hash, with GAP. */
  private lettersFor(hash: number): number {
    const first = firstCell(hash, this.log2Cells);
    return this.filter[first]! & this.filter[secondCell(hash, first)]!;
  }
}
