/**
 * Looks up which letters can fill a gap between the start of a key and the rest of a text: see
 * index-file/gap-filter.ts. A set of letters is 32 bits; letters equal modulo 32 share a bit.
 */
import { firstWord, GAP, joined, rolled, secondWord } from '../../index-file/gap-filter.ts';

/** The set of all letters. */
export const ANY_LETTER = -1;
const MAX_LETTERS = 64;

/** Whether a set may contain a letter. */
export function hasLetter(letters: number, letter: number): boolean {
  return ((letters >>> letter) & 1) !== 0;
}

export class GapLetters {
  private readonly words: Int32Array;
  private readonly log2Words: number;
  /** By key length, the number of letters that the filter covers. */
  private readonly coveredLength = new Uint8Array(2 * MAX_LETTERS);
  readonly letters = new Uint16Array(MAX_LETTERS);
  /** hashes[i] is the hash of the text's first i letters. */
  private readonly hashes = new Int32Array(MAX_LETTERS + 1);
  private length = 0;

  constructor(words: Int32Array, lengths: readonly number[]) {
    this.words = words;
    this.log2Words = Math.log2(words.length);
    for (const length of lengths) this.coveredLength.fill(length, length);
  }

  /** Sets the text, of up to 63 letters. */
  setText(text: string): void {
    this.length = text.length;
    for (let i = 0; i < text.length; i++) {
      this.letters[i] = text.charCodeAt(i);
      this.hashes[i + 1] = rolled(this.hashes[i]!, text.charCodeAt(i));
    }
  }

  /** Letters that a key may have between `depth` letters with this hash and the text from `at`. */
  lettersInGap(hash: number, depth: number, at: number): number {
    const covered = this.coveredLength[depth + 1 + this.length - at]!;
    if (covered <= depth) return ANY_LETTER;
    return this.lettersOf(joined(rolled(hash, GAP), this.hashes, at, at + covered - depth - 1));
  }

  /** Like `lettersInGap`, for keys with `letter` between the gap and the text from `at`. */
  lettersInGapBefore(letter: number, hash: number, depth: number, at: number): number {
    const covered = this.coveredLength[depth + 2 + this.length - at]!;
    if (covered <= depth + 1) return ANY_LETTER;
    return this.lettersOf(joined(rolled(rolled(hash, GAP), letter), this.hashes, at, at + covered - depth - 2));
  }

  /** Whether a key may have `depth` letters with this hash and then the text from `at`. */
  mayContinue(hash: number, depth: number, at: number): boolean {
    const covered = this.coveredLength[depth + this.length - at]!;
    if (covered <= depth) return true;
    const last = at + covered - depth - 1;
    return hasLetter(this.lettersOf(rolled(joined(hash, this.hashes, at, last), GAP)), this.letters[last]!);
  }

  private lettersOf(hash: number): number {
    const first = firstWord(hash, this.log2Words);
    return this.words[first]! & this.words[secondWord(hash, first)]!;
  }
}
