/**
 * Reads a gap filter (index-file/gap-filter.ts): which letters may some key have in a gap, between
 * a prefix and the rest of a text? A set of letters is 32 bits; letters whose codes are equal
 * modulo 32 share a bit.
 */
import { firstWord, GAP, joined, rolled, secondWord } from '../../index-file/gap-filter.ts';

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
  private readonly log2Words: number;
  /** For each length of a key, the length of its longest prefix in the filter; 0 if none is. */
  private readonly coveredLength = new Uint8Array(2 * MAX_TEXT_LENGTH);
  /** Letters of the text. */
  readonly letters = new Uint16Array(MAX_TEXT_LENGTH);
  /** hashes[i] is the hash of the text's first i letters. */
  private readonly hashes = new Int32Array(MAX_TEXT_LENGTH + 1);
  private length = 0;

  /** `prefixLengths`: lengths of the prefixes in the filter, ascending. */
  constructor(filter: Int32Array, prefixLengths: readonly number[]) {
    this.filter = filter;
    this.log2Words = Math.log2(filter.length);
    for (const length of prefixLengths) this.coveredLength.fill(length, length);
  }

  /** Sets the text, of up to MAX_TEXT_LENGTH letters. */
  setText(text: string): void {
    this.length = text.length;
    for (let i = 0; i < text.length; i++) {
      this.letters[i] = text.charCodeAt(i);
      this.hashes[i + 1] = rolled(this.hashes[i]!, text.charCodeAt(i));
    }
  }

  /** Letters between a prefix of `depth` letters, which has this hash, and the text from `at`. */
  lettersInGap(hash: number, depth: number, at: number): number {
    const covered = this.coveredLength[depth + 1 + this.length - at]!;
    if (covered <= depth) return ANY_LETTER;
    return this.lettersAround(joined(rolled(hash, GAP), this.hashes, at, at + covered - depth - 1));
  }

  /** Like `lettersInGap`, for keys with `letter` between the gap and the text from `at`. */
  lettersInGapBefore(letter: number, hash: number, depth: number, at: number): number {
    const covered = this.coveredLength[depth + 2 + this.length - at]!;
    if (covered <= depth + 1) return ANY_LETTER;
    return this.lettersAround(joined(rolled(rolled(hash, GAP), letter), this.hashes, at, at + covered - depth - 2));
  }

  /** Whether the text from `at` may follow a prefix of `depth` letters with this hash. */
  mayContinue(hash: number, depth: number, at: number): boolean {
    const covered = this.coveredLength[depth + this.length - at]!;
    if (covered <= depth) return true;
    const gap = at + covered - depth - 1; // leaves out the last letter that the filter covers
    return hasLetter(this.lettersAround(rolled(joined(hash, this.hashes, at, gap), GAP)), this.letters[gap]!);
  }

  /** Letters for the gap in a text with this hash. */
  private lettersAround(hash: number): number {
    const first = firstWord(hash, this.log2Words);
    return this.filter[first]! & this.filter[secondWord(hash, first)]!;
  }
}
