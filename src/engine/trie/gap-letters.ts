/** Which letters some key may have in a gap of a text, as far as the filter knows: see index-file/gap-filter.ts. */
import { firstWord, GAP, joined, rolled, secondWord } from '../../index-file/gap-filter.ts';

/** The bits of all letters. */
export const ANY_LETTER = -1;
const MAX_LETTERS = 64;

/** Whether a letter is among these. */
export function has(letters: number, letter: number): boolean {
  return ((letters >>> letter) & 1) !== 0;
}

export class GapLetters {
  private readonly words: Int32Array;
  private readonly log2Words: number;
  /** Of a key of so many letters, how many the filter knows. */
  private readonly known = new Uint8Array(2 * MAX_LETTERS);
  readonly letters = new Uint16Array(MAX_LETTERS);
  /** hashes[i] is the hash of the text's first i letters. */
  private readonly hashes = new Int32Array(MAX_LETTERS + 1);
  private length = 0;

  constructor(words: Int32Array, lengths: readonly number[]) {
    this.words = words;
    this.log2Words = Math.log2(words.length);
    for (const length of lengths) this.known.fill(length, length);
  }

  /** The text that is asked about: up to 63 letters. */
  setText(text: string): void {
    this.length = text.length;
    for (let i = 0; i < text.length; i++) {
      this.letters[i] = text.charCodeAt(i);
      this.hashes[i + 1] = rolled(this.hashes[i]!, text.charCodeAt(i));
    }
  }

  /** The letters that some key may have behind `depth` letters of this hash if it then goes on as the text does from `at`. */
  lettersInGap(hash: number, depth: number, at: number): number {
    const known = this.known[depth + 1 + this.length - at]!;
    if (known <= depth) return ANY_LETTER;
    return this.lettersOf(joined(rolled(hash, GAP), this.hashes, at, at + known - depth - 1));
  }

  /** The same where before going on so it has this letter. */
  lettersInGapBefore(letter: number, hash: number, depth: number, at: number): number {
    const known = this.known[depth + 2 + this.length - at]!;
    if (known <= depth + 1) return ANY_LETTER;
    return this.lettersOf(joined(rolled(rolled(hash, GAP), letter), this.hashes, at, at + known - depth - 2));
  }

  /** Whether some key may begin with `depth` letters of this hash and then go on as the text does from `at`. */
  mayContinue(hash: number, depth: number, at: number): boolean {
    const known = this.known[depth + this.length - at]!;
    if (known <= depth) return true;
    const last = at + known - depth - 1;
    return has(this.lettersOf(rolled(joined(hash, this.hashes, at, last), GAP)), this.letters[last]!);
  }

  private lettersOf(hash: number): number {
    const first = firstWord(hash, this.log2Words);
    return this.words[first]! & this.words[secondWord(hash, first)]!;
  }
}
