/**
 * Writes JSON as bytes into a buffer that all responses reuse. Concatenating strings and encoding
 * the result would cost more than the search.
 */

import type { BoundingBox } from '../../place/bounding-box.ts';
import { type ByteString, byteStringFrom } from './byte-string.ts';
import { MAX_NUMBER_BYTES, writeDegreesDown, writeDegreesUp, writeNumber } from './decimal-digits.ts';
import { HTML_ENTITIES } from './html.ts';

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

const COMMA_CODE = 0x2c;

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
    let end = writeDegreesDown(this.#buffer, this.#length, west);
    this.#buffer[end++] = COMMA_CODE;
    end = writeDegreesDown(this.#buffer, end, south);
    this.#buffer[end++] = COMMA_CODE;
    end = writeDegreesUp(this.#buffer, end, east);
    this.#buffer[end++] = COMMA_CODE;
    this.#length = writeDegreesUp(this.#buffer, end, north);
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
