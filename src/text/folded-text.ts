/**
 * Folds UTF-8 bytes without decoding them to a string. The words are those of `foldWords`, stored
 * in arrays that the next text reuses: for code that looks at many texts and keeps none.
 */
import { COMMA, foldCodePoint, SEPARATOR } from './fold.ts';

const INITIAL_CAPACITY = 128;
/** Maximum letters that one byte of UTF-8 folds to: U+FDFA has the most. */
const MAX_LETTERS_PER_BYTE = 5;
/** ASCII characters that fold to no letter: those that vanish, and those that end a word. */
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
  /** For each letter, the UTF-16 offsets of the character it was folded from. */
  starts = new Uint32Array(0);
  ends = new Uint32Array(0);
  /** For each word, the index of its first letter; then the number of letters. */
  firsts = new Uint32Array(0);
  private capacity = 0;
  private letterCount = 0;
  private isInWord = false;

  constructor() {
    this.reserve(INITIAL_CAPACITY);
  }

  /** Folds the bytes from..to, which must be well-formed UTF-8. */
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

  /** Whether both texts have the same words. */
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
    if (bytes <= this.capacity) return;
    this.capacity = 2 * bytes;
    this.letters = new Uint16Array(MAX_LETTERS_PER_BYTE * this.capacity);
    this.starts = new Uint32Array(MAX_LETTERS_PER_BYTE * this.capacity);
    this.ends = new Uint32Array(MAX_LETTERS_PER_BYTE * this.capacity);
    this.firsts = new Uint32Array(this.capacity + 1);
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
