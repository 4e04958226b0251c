/**
 * Folding makes text comparable: lower-case words separated by single spaces, without accents,
 * width and punctuation. Letters such as "ß" are spelt out, katakana become hiragana, and Chinese
 * characters take their simplified form. A change must raise TEXT_VERSION (index-file/layout.ts): index
 * files of other versions are refused.
 */
import { simplify } from './han-variants.ts';

/** A folded word. `start` and `end` are UTF-16 offsets in the text, `end` exclusive. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether a comma or similar punctuation comes before the word. */
  readonly isAfterComma: boolean;
}

export function foldWords(text: string): Word[] {
  const words: Word[] = [];
  let folded = '';
  let start = 0;
  let end = 0;
  let isAfterComma = false;
  const closeWord = () => {
    if (folded === '') return;
    words.push({ text: folded, start, end, isAfterComma });
    folded = '';
    isAfterComma = false;
  };
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i) as number;
    const next = i + (codePoint > 0xffff ? 2 : 1);
    const piece = isSpacedDash(text, i) ? COMMA : foldCodePoint(codePoint);
    if (piece === SEPARATOR || piece === COMMA) {
      closeWord();
      if (piece === COMMA && words.length > 0) isAfterComma = true;
    } else if (piece !== '') {
      if (folded === '') start = i;
      folded += piece;
      end = next;
    }
    i = next;
  }
  closeWord();
  return words;
}

/** Whether the character is a dash between spaces, which separates like a comma: "Santos - SP". */
function isSpacedDash(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  const isDash = unit === 0x2d || unit === 0x2013 || unit === 0x2014;
  return isDash && text.charCodeAt(i - 1) === 0x20 && text.charCodeAt(i + 1) === 0x20;
}

/** Text of ASCII letters, digits and single spaces, which changes only in case. */
const PLAIN_WORDS = /^[a-z0-9]+(?: [a-z0-9]+)*$/i;

export function fold(text: string): string {
  if (PLAIN_WORDS.test(text)) return text.toLowerCase(); // most names
  let folded = '';
  let needsSpace = false;
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i) as number;
    i += codePoint > 0xffff ? 2 : 1;
    const piece = foldCodePoint(codePoint);
    if (piece === '') continue;
    if (piece === SEPARATOR || piece === COMMA) {
      needsSpace = folded !== '';
    } else {
      folded += needsSpace ? ` ${piece}` : piece;
      needsSpace = false;
    }
  }
  return folded;
}

const KANA_OR_HAN = /[\u3041-\u30fa\u3400-\u9fff]/g;

/** Folds all but accents and punctuation. A text is plain if the result equals the folded text. */
export function foldExceptMarks(text: string): string {
  return text.toLowerCase().replace(KANA_OR_HAN, (character) => foldCodePoint(character.charCodeAt(0)));
}

/** Result of `foldCodePoint` for a character that ends a word. */
const SEPARATOR = ' ';
/** Result of `foldCodePoint` for punctuation that separates like a comma. */
const COMMA = ',';

/** Letters that NFKD does not decompose, with the plain spelling that people also type. */
const PLAIN_SPELLINGS = new Map(
  [
    'ß:ss æ:ae œ:oe ø:o đ:d ð:d ł:l ı:i þ:th ħ:h ŋ:n ŧ:t ə:a ɓ:b ɗ:d ƙ:k ɛ:e ɔ:o ɣ:g ʉ:u ƴ:y ĸ:k ς:σ',
    'ى:ي ی:ي ې:ي ے:ي ک:ك ة:ه ە:ه ہ:ه ھ:ه ٱ:ا ٹ:ت ڈ:د ڑ:ر ں:ن ґ:г є:е ѣ:е',
    // Devanagari: long vowels, vowels of English words and signs of nasals
    'ई:इ ऊ:उ ी:ि ू:ु ऑ:ओ ॉ:ो ऍ:ए ॅ:े ँ:ं ळ:ल',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/**
 * Accents, vowel points, modifier letters, Arabic hamza and stretching stroke, the dot below of
 * Hindi and invisible characters. The Hebrew hyphen (U+05BE) is left out, because it ends a word.
 */
const REMOVED_MODIFIER =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\p{Cf}\u02b0-\u02ff\ua78c]/u;
/** Apostrophes, quotation marks and dots, which do not end a word. */
const REMOVED_PUNCTUATION =
  /['\u2018\u2019\u201a\u201b`\u00b4\u02bb\u02bc\u055a\u2032\uff07\u05f3\u05f4"\u201c\u201d\u201e.\u00b7\u2027]/u;
const COMMA_LIKE = /[,;\uff0c\u3001\u060c\u061b|/()[\]]/u;
/** Includes the marks of REMOVED_MODIFIER, which is tested first. */
const LETTER = /[\p{L}\p{N}\p{M}]/u;

const asciiPieces = Array.from({ length: 128 }, (_, codePoint) => computePiece(codePoint));
const otherPieces = new Map<number, string>();

/** The letters that a code point adds to a word (possibly none), or SEPARATOR or COMMA. */
function foldCodePoint(codePoint: number): string {
  if (codePoint < 128) return asciiPieces[codePoint] as string;
  let piece = otherPieces.get(codePoint);
  if (piece === undefined) {
    piece = computePiece(codePoint);
    otherPieces.set(codePoint, piece);
  }
  return piece;
}

function computePiece(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  if (REMOVED_PUNCTUATION.test(char) || REMOVED_MODIFIER.test(char)) return '';
  if (COMMA_LIKE.test(char)) return COMMA;
  let piece = '';
  // NFKD turns some characters, such as ™, into capitals
  for (const part of char.toLowerCase().normalize('NFKD').toLowerCase()) {
    const letter = PLAIN_SPELLINGS.get(part) ?? part;
    if (!REMOVED_MODIFIER.test(letter) && LETTER.test(letter)) piece += simplify(toHiragana(letter));
  }
  return piece === '' ? SEPARATOR : piece;
}

/** Input methods show hiragana until a katakana word is complete. */
function toHiragana(letter: string): string {
  const code = letter.charCodeAt(0);
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCharCode(code - 0x60) : letter;
}

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

/** Folds UTF-8 bytes like `foldWords`, without strings. The next text overwrites the arrays. */
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
