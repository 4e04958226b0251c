/**
 * Writes JSON as bytes into a buffer that all responses reuse. Concatenating strings and encoding
 * the result would cost more than the search.
 */

import type { BoundingBox } from 'toponym-engine/place/bounding-box';

/**
 * Bytes as a string with one character per byte, Node's encoding `latin1`. Node sends a response's
 * headers and a string in one write, but headers and a Buffer in two.
 */
export type ByteString = string & { readonly [byteString]: true };
declare const byteString: unique symbol;

export function byteStringFrom(buffer: Buffer, start = 0, end = buffer.length): ByteString {
  return buffer.toString('latin1', start, end) as ByteString;
}

export function textFromByteString(bytes: ByteString): string {
  return Buffer.from(bytes, 'latin1').toString();
}

export const HTML_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES.get(character) ?? character);
}

const INITIAL_BYTES = 64 * 1024;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;
/** Maximum bytes per code unit after escaping: `\u0000` and `&quot;` have six. */
const MAX_ESCAPED_BYTES_PER_UNIT = 6;
// surrogates are 0xd800 to 0xdfff
const SURROGATE = 0xd800;
const SURROGATE_MASK = 0xf800;

/** Replacements of ASCII characters, indexed by char code. */
type Escapes = readonly (string | undefined)[];
const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1);
const JSON_ESCAPES: Escapes = Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return escapeJson(character) === character ? undefined : escapeJson(character);
});
const HTML_ESCAPES: Escapes = JSON_ESCAPES.map(
  (jsonEscape, unit) => HTML_ENTITIES.get(String.fromCharCode(unit)) ?? jsonEscape,
);

export class JsonWriter {
  #buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  reset(): void {
    this.#length = 0;
  }

  toByteString(): ByteString {
    return byteStringFrom(this.#buffer, 0, this.#length);
  }

  /** Appends JSON that is already encoded in UTF-8. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  json(json: string): void {
    this.#reserve(MAX_BYTES_PER_UNIT * json.length);
    this.#length += this.#buffer.write(json, this.#length);
  }

  /** The number must be finite. */
  number(value: number): void {
    this.#reserve(MAX_NUMBER_BYTES);
    this.#length = writeNumber(this.#buffer, this.#length, value);
  }

  /** Appends west, south, east and north, rounded outward to five decimals (about a metre). */
  box({ west, south, east, north }: BoundingBox): void {
    this.#reserve(4 * (MAX_NUMBER_BYTES + 1));
    let end = writeScaledDegrees(this.#buffer, this.#length, scaledDown(west));
    this.#buffer[end++] = COMMA;
    end = writeScaledDegrees(this.#buffer, end, scaledDown(south));
    this.#buffer[end++] = COMMA;
    end = writeScaledDegrees(this.#buffer, end, scaledUp(east));
    this.#buffer[end++] = COMMA;
    this.#length = writeScaledDegrees(this.#buffer, end, scaledUp(north));
  }

  /** Appends a text as the content of a JSON string. */
  escaped(text: string): void {
    this.#write(text, 0, text.length, JSON_ESCAPES);
  }

  /** Appends part of a text, escaped as HTML, as the content of a JSON string. */
  html(text: string, start: number, end: number): void {
    this.#write(text, start, end, HTML_ESCAPES);
  }

  /** Encodes part of a text in UTF-8. A lone surrogate is escaped as `JSON.stringify` does it. */
  #write(text: string, start: number, end: number, escapes: Escapes): void {
    this.#reserve(MAX_ESCAPED_BYTES_PER_UNIT * (end - start));
    const buffer = this.#buffer;
    let at = this.#length;
    for (let i = start; i < end; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        const replacement = escapes[unit];
        if (replacement === undefined) buffer[at++] = unit;
        else at += buffer.write(replacement, at);
      } else if (unit < 0x800) {
        buffer[at++] = 0xc0 | (unit >> 6);
        buffer[at++] = 0x80 | (unit & 0x3f);
      } else if ((unit & SURROGATE_MASK) !== SURROGATE) {
        buffer[at++] = 0xe0 | (unit >> 12);
        buffer[at++] = 0x80 | ((unit >> 6) & 0x3f);
        buffer[at++] = 0x80 | (unit & 0x3f);
      } else {
        const character = String.fromCodePoint(text.codePointAt(i)!);
        at += buffer.write(escapeJson(character), at);
        i += character.length - 1;
      }
    }
    this.#length = at;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** Coordinates have at most seven decimals. */
const DECIMALS = 7;
const SCALE = 10 ** DECIMALS;
/** Five decimals of a degree are about a metre. */
const DEGREE_DECIMALS = 5;
const DEGREE_SCALE = 10 ** DEGREE_DECIMALS;
/** Makes up for products such as 48.73152 * 1e5, which is not an integer. Coordinates are coarser. */
const ROUNDING_ERROR = 1e-3;
/** `String` formats smaller numbers with an exponent. */
const MIN_PLAIN = 1e-6;
/** Below this, a scaled number is an exact integer, and the whole part fits in 32 bits. */
const PLAIN_END = 1e8;
const POWERS_OF_TEN = Array.from({ length: 9 }, (_, exponent) => 10 ** exponent);
const COMMA = 0x2c;
const MINUS = 0x2d;
const DECIMAL_POINT = 0x2e;
const ZERO = 0x30;

/** Enough for the longest result of `String`, which has 25 characters. */
const MAX_NUMBER_BYTES = 32;

/** Writes a finite number as `String` formats it. Returns the end offset. */
function writeNumber(buffer: Buffer, start: number, value: number): number {
  const absolute = Math.abs(value);
  const scaled = Math.round(absolute * SCALE);
  const hasFewDecimals = scaled / SCALE === absolute;
  const isPlain = hasFewDecimals && absolute < PLAIN_END && (absolute >= MIN_PLAIN || absolute === 0);
  if (!isPlain) return start + buffer.write(String(value), start, 'latin1');
  let end = start;
  if (value < 0) buffer[end++] = MINUS;
  const whole = absolute | 0;
  end = writeDigits(buffer, end, whole, 1);
  let fraction = (scaled - whole * SCALE) | 0;
  if (fraction === 0) return end;
  let decimals = DECIMALS;
  while (fraction % 10 === 0) {
    fraction = (fraction / 10) | 0;
    decimals--;
  }
  buffer[end++] = DECIMAL_POINT;
  return writeDigits(buffer, end, fraction, decimals);
}

const scaledDown = (degrees: number) => Math.floor(degrees * DEGREE_SCALE + ROUNDING_ERROR);
const scaledUp = (degrees: number) => Math.ceil(degrees * DEGREE_SCALE - ROUNDING_ERROR);

/** Writes degrees (-180 to 180) that are multiplied by DEGREE_SCALE. Returns the end offset. */
function writeScaledDegrees(buffer: Buffer, start: number, signed: number): number {
  const scaled = Math.abs(signed) | 0;
  let end = start;
  if (signed < 0) buffer[end++] = MINUS;
  const whole = (scaled / DEGREE_SCALE) | 0;
  end = writeDigits(buffer, end, whole, 1);
  const fraction = scaled - whole * DEGREE_SCALE;
  if (fraction === 0) return end;
  buffer[end] = DECIMAL_POINT;
  end = writeDigits(buffer, end + 1, fraction, DEGREE_DECIMALS);
  while (buffer[end - 1] === ZERO) end--;
  return end;
}

/** Writes an integer below 1e8, zero-padded to `minDigits`. Returns the end offset. */
function writeDigits(buffer: Buffer, start: number, value: number, minDigits: number): number {
  let digits = minDigits;
  while (value >= POWERS_OF_TEN[digits]!) digits++;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    const tens = (rest / 10) | 0;
    buffer[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return start + digits;
}
