/**
 * A text folded where it lies, as UTF-8: the words of `foldWords`, as letters in arrays that are used again for the next text.
 * For who looks at many texts and keeps none.
 */
import { COMMA, foldCodePoint, SEPARATOR } from './fold.ts';

const FIRST_BYTES = 128;
/** Letters that a byte of UTF-8 folds to at most: those of U+FDFA. */
const MOST_PER_BYTE = 5;
/** What an ASCII letter folds to: its code, or one of these. */
const NOTHING = 0;
const GAP = 1;
const asciiLetters = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const piece = foldCodePoint(code);
  return piece === '' ? NOTHING : isGap(piece) ? GAP : piece.charCodeAt(0);
});

export class FoldedText {
  wordCount = 0;
  /** The letters of all words, one after the other. */
  letters = new Uint16Array(0);
  /** For each letter, where in the text that stands which it was folded from: UTF-16 offsets. */
  starts = new Uint32Array(0);
  ends = new Uint32Array(0);
  /** For each word, its first letter; then, how many letters there are. */
  firsts = new Uint32Array(0);
  private room = 0;
  private letterCount = 0;
  private isInWord = false;

  constructor() {
    this.reserve(FIRST_BYTES);
  }

  /** The bytes from..to of a text that is well-formed. */
  set(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    this.wordCount = 0;
    this.letterCount = 0;
    this.isInWord = false;
    let offset = 0;
    for (let i = from; i < to; ) {
      const byte = bytes[i]!;
      if (byte < 0x80) {
        const letter = asciiLetters[byte]!;
        if (letter === GAP) this.isInWord = false;
        else if (letter !== NOTHING) this.add(letter, offset, offset + 1);
        i++;
        offset++;
        continue;
      }
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      const units = size === 4 ? 2 : 1;
      this.addPiece(foldCodePoint(decode(bytes, i, size)), offset, offset + units);
      i += size;
      offset += units;
    }
    this.firsts[this.wordCount] = this.letterCount;
  }

  /** Whether both are the same words. */
  equals({ wordCount, letterCount, firsts, letters }: FoldedText): boolean {
    if (wordCount !== this.wordCount || letterCount !== this.letterCount) return false;
    for (let i = 0; i < letterCount; i++) if (letters[i] !== this.letters[i]) return false;
    for (let i = 0; i < wordCount; i++) if (firsts[i] !== this.firsts[i]) return false;
    return true;
  }

  private addPiece(piece: string, start: number, end: number): void {
    if (isGap(piece)) this.isInWord = false;
    else for (let i = 0; i < piece.length; i++) this.add(piece.charCodeAt(i), start, end);
  }

  private add(letter: number, start: number, end: number): void {
    if (!this.isInWord) this.firsts[this.wordCount++] = this.letterCount;
    this.isInWord = true;
    this.letters[this.letterCount] = letter;
    this.starts[this.letterCount] = start;
    this.ends[this.letterCount++] = end;
  }

  private reserve(bytes: number): void {
    if (bytes <= this.room) return;
    this.room = 2 * bytes;
    this.letters = new Uint16Array(MOST_PER_BYTE * this.room);
    this.starts = new Uint32Array(MOST_PER_BYTE * this.room);
    this.ends = new Uint32Array(MOST_PER_BYTE * this.room);
    this.firsts = new Uint32Array(this.room + 1);
  }
}

function isGap(piece: string): boolean {
  return piece === SEPARATOR || piece === COMMA;
}

function decode(bytes: Uint8Array, at: number, size: number): number {
  let codePoint = bytes[at]! & (0x7f >> size);
  for (let i = 1; i < size; i++) codePoint = (codePoint << 6) | (bytes[at + i]! & 0x3f);
  return codePoint;
}
