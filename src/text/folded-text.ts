/** Folds UTF-8 bytes like `foldWords`, without strings. The next text overwrites the arrays. */
import { COMMA, foldCodePoint, SEPARATOR } from './fold.ts';

const INITIAL_CAPACITY = 128; // in bytes of UTF-8
/** U+FDFA has three bytes and folds to 15 letters. */
const MAX_LETTERS_PER_BYTE = 5;
const REMOVED = 0; // no character folds to U+0000
const WORD_BREAK = 1; // nor to U+0001
/** The letter that each ASCII character folds to, or REMOVED or WORD_BREAK. */
const asciiLetters = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const piece = foldCodePoint(code);
  return piece === '' ? REMOVED : isWordBreak(piece) ? WORD_BREAK : piece.charCodeAt(0);
});

export class FoldedText {
  wordCount = 0;
  letters = new Uint16Array(0);
  /** For each letter, the UTF-16 start of the character it was folded from. */
  starts = new Uint32Array(0);
  /** For each letter, the exclusive UTF-16 end of that character. */
  ends = new Uint32Array(0);
  /** Index in `letters` of each word, then the end of the last word. */
  wordOffsets = new Uint32Array(0);
  private capacity = 0; // in bytes of UTF-8
  private letterCount = 0;
  private isInWord = false;

  constructor() {
    this.reserve(INITIAL_CAPACITY);
  }

  /** `to` is exclusive. The bytes must be well-formed UTF-8. */
  foldBytes(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    this.wordCount = 0;
    this.letterCount = 0;
    this.isInWord = false;
    let offset = 0; // in UTF-16
    for (let i = from; i < to; ) {
      const byte = bytes[i]!;
      if (byte < 0x80) {
        const letter = asciiLetters[byte]!;
        if (letter === WORD_BREAK) this.isInWord = false;
        else if (letter !== REMOVED) this.add(letter, offset, offset + 1);
        i++;
        offset++;
        continue;
      }
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      const units = size === 4 ? 2 : 1; // of UTF-16
      this.addPiece(foldCodePoint(decode(bytes, i, size)), offset, offset + units);
      i += size;
      offset += units;
    }
    this.wordOffsets[this.wordCount] = this.letterCount;
  }

  /** Whether both texts have the same words. */
  equals({ wordCount, letterCount, wordOffsets, letters }: FoldedText): boolean {
    if (wordCount !== this.wordCount || letterCount !== this.letterCount) return false;
    for (let i = 0; i < letterCount; i++) if (letters[i] !== this.letters[i]) return false;
    for (let i = 0; i < wordCount; i++) if (wordOffsets[i] !== this.wordOffsets[i]) return false;
    return true;
  }

  private addPiece(piece: string, start: number, end: number): void {
    if (isWordBreak(piece)) this.isInWord = false;
    else for (let i = 0; i < piece.length; i++) this.add(piece.charCodeAt(i), start, end);
  }

  private add(letter: number, start: number, end: number): void {
    if (!this.isInWord) this.wordOffsets[this.wordCount++] = this.letterCount;
    this.isInWord = true;
    this.letters[this.letterCount] = letter;
    this.starts[this.letterCount] = start;
    this.ends[this.letterCount++] = end;
  }

  /** Makes room for a text. The current text is lost. */
  private reserve(bytes: number): void {
    if (bytes <= this.capacity) return;
    this.capacity = 2 * bytes;
    this.letters = new Uint16Array(MAX_LETTERS_PER_BYTE * this.capacity);
    this.starts = new Uint32Array(MAX_LETTERS_PER_BYTE * this.capacity);
    this.ends = new Uint32Array(MAX_LETTERS_PER_BYTE * this.capacity);
    this.wordOffsets = new Uint32Array(this.capacity + 1);
  }
}

function isWordBreak(piece: string): boolean {
  return piece === SEPARATOR || piece === COMMA;
}

/** `size` is 2 to 4. */
function decode(bytes: Uint8Array, at: number, size: number): number {
  let codePoint = bytes[at]! & (0x7f >> size); // the first byte without its length bits
  for (let i = 1; i < size; i++) codePoint = (codePoint << 6) | (bytes[at + i]! & 0x3f);
  return codePoint;
}
