/**
 * Folding: the one way text is made comparable, for building and for querying alike.
 * A folded text holds lower-case letters and digits in words separated by single spaces; accents, case, width,
 * punctuation and apostrophes are gone, letters that have a plain spelling are spelt out ("ß" -> "ss").
 * It works code point by code point, so every folded word knows where it stood in the text.
 */

/** Raise when folding changes: index files made with another version are rebuilt. */
export const TEXT_VERSION = 1;

/** A word of a text: folded, and where it stood (UTF-16 offsets, end exclusive). */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether a comma (or its like) stands between the word before and this one. */
  readonly isAfterComma: boolean;
}

/** Splits a text into folded words. Words that fold to nothing are left out. */
export function foldWords(text: string): Word[] {
  const words: Word[] = [];
  let folded = '';
  let start = 0;
  let end = 0;
  let isAfterComma = false;
  const close = () => {
    if (folded === '') return;
    words.push({ text: folded, start, end, isAfterComma });
    folded = '';
    isAfterComma = false;
  };
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i) as number;
    const next = i + (codePoint > 0xffff ? 2 : 1);
    const piece = foldCodePoint(codePoint);
    if (piece === SEPARATOR || piece === COMMA) {
      close();
      if (piece === COMMA && words.length > 0) isAfterComma = true;
    } else if (piece !== '') {
      if (folded === '') start = i;
      folded += piece;
      end = next;
    }
    i = next;
  }
  close();
  return words;
}

/** The folded text as one string. */
export function fold(text: string): string {
  let folded = '';
  let isBetween = false;
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i) as number;
    i += codePoint > 0xffff ? 2 : 1;
    const piece = foldCodePoint(codePoint);
    if (piece === '') continue;
    if (piece === SEPARATOR || piece === COMMA) {
      isBetween = folded !== '';
    } else {
      folded += isBetween ? ` ${piece}` : piece;
      isBetween = false;
    }
  }
  return folded;
}

/** What a letter folds to that stands between words. */
export const SEPARATOR = ' ';
export const COMMA = ',';

/** Letters that normalisation leaves alone but that people spell with others: the letter, then its plain spelling. */
const SPELT_OUT = new Map(
  [
    'ß:ss æ:ae œ:oe ø:o đ:d ð:d ł:l ı:i þ:th ħ:h ŋ:n ŧ:t ə:a ɓ:b ɗ:d ƙ:k ɛ:e ɔ:o ɣ:g ʉ:u ƴ:y ĸ:k ς:σ',
    'ى:ي ی:ي ې:ي ک:ك ة:ه ۀ:ه ہ:ه ھ:ه ٱ:ا ٹ:ت ґ:г є:е ѣ:е',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Marks that only decorate. Vowel signs of Indic and South-East Asian scripts are letters to their readers and stay. */
const DECORATION =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\p{Cf}\u02b0-\u02ff\ua78c]/u;
const APOSTROPHE =
  /['\u2018\u2019\u201a\u201b`\u00b4\u02bb\u02bc\u055a\u2032\uff07\u05f3\u05f4"\u201c\u201d\u201e.\u00b7\u2027]/u;
const COMMAS = /[,;\uff0c\u3001\u060c\u061b|/()[\]]/u;
const WORD = /[\p{L}\p{N}\p{M}]/u;

const asciiPieces: string[] = [];
const pieces = new Map<number, string>();

/** What one letter adds to a word: nothing, letters, or one of the signs that end it. */
export function foldCodePoint(codePoint: number): string {
  if (codePoint < 128) return asciiPieces[codePoint] as string;
  let piece = pieces.get(codePoint);
  if (piece === undefined) {
    piece = computePiece(codePoint);
    pieces.set(codePoint, piece);
  }
  return piece;
}

function computePiece(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  if (APOSTROPHE.test(char) || DECORATION.test(char)) return '';
  if (COMMAS.test(char)) return COMMA;
  let piece = '';
  for (const part of char.toLowerCase().normalize('NFKD').toLowerCase()) {
    const letter = SPELT_OUT.get(part) ?? part;
    if (letter !== '' && !DECORATION.test(letter) && WORD.test(letter)) piece += hiragana(letter);
  }
  return piece === '' && !/\p{M}/u.test(char) ? SEPARATOR : piece;
}

/** Katakana as hiragana: people type the one on the way to the other. */
function hiragana(letter: string): string {
  const code = letter.charCodeAt(0);
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCharCode(code - 0x60) : letter;
}

for (let codePoint = 0; codePoint < 128; codePoint++) asciiPieces.push(computePiece(codePoint));
