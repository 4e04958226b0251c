/**
 * Writes JSON as bytes into a buffer that is reused for the next response.
 * Flattening and encoding concatenated strings would cost more than the search: see
 * docs/performance.md.
 */
import { MAX_NUMBER_BYTES, writeNumber } from './decimal-digits.ts';
import { HTML_ENTITIES } from './html.ts';
import { type Latin1Bytes, latin1FromBuffer } from './latin1-bytes.ts';

const INITIAL_BYTES = 64 * 1024;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SURROGATE = 0xd800;
const SURROGATE_MASK = 0xf800;
/** HTML entities, indexed by char code. */
const ENTITIES: (Uint8Array | undefined)[] = new Array(0x80).fill(undefined);
for (const [character, entity] of HTML_ENTITIES) ENTITIES[character.charCodeAt(0)] = Buffer.from(entity);

export class JsonWriter {
  #buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  reset(): void {
    this.#length = 0;
  }

  /** Returns a copy of everything written. */
  toLatin1(): Latin1Bytes {
    return latin1FromBuffer(this.#buffer, 0, this.#length);
  }

  /** Appends raw JSON as bytes. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends raw JSON text. */
  text(text: string): void {
    this.#reserve(MAX_BYTES_PER_UNIT * text.length);
    this.#length += this.#buffer.write(text, this.#length);
  }

  /** Appends a finite number. */
  number(value: number): void {
    this.#reserve(MAX_NUMBER_BYTES);
    this.#length = writeNumber(this.#buffer, this.#length, value);
  }

  /** Appends part of a text as the content of a JSON string. */
  escaped(text: string, start = 0, end = text.length): void {
    this.#reserve(MAX_BYTES_PER_UNIT * (end - start));
    const buffer = this.#buffer;
    let at = this.#length;
    for (let i = start; i < end; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH || (unit & SURROGATE_MASK) === SURROGATE) {
        this.#length = at;
        this.text(JSON.stringify(text.slice(i, end)).slice(1, -1));
        return;
      }
      if (unit < 0x80) {
        buffer[at++] = unit;
      } else if (unit < 0x800) {
        buffer[at++] = 0xc0 | (unit >> 6);
        buffer[at++] = 0x80 | (unit & 0x3f);
      } else {
        buffer[at++] = 0xe0 | (unit >> 12);
        buffer[at++] = 0x80 | ((unit >> 6) & 0x3f);
        buffer[at++] = 0x80 | (unit & 0x3f);
      }
    }
    this.#length = at;
  }

  /** Appends part of a text, escaped as HTML, as the content of a JSON string. */
  html(text: string, start: number, end: number): void {
    let done = start;
    for (let i = start; i < end; i++) {
      const unit = text.charCodeAt(i);
      const entity = unit < 0x80 ? ENTITIES[unit] : undefined;
      if (entity === undefined) continue;
      this.escaped(text, done, i);
      this.bytes(entity);
      done = i + 1;
    }
    this.escaped(text, done, end);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
