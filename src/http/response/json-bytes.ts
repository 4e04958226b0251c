/**
 * JSON written as the bytes that are sent, front to back, from kept bytes, texts and numbers. Put together as a text, an
 * answer of some hundred pieces would cost more to flatten and to encode than to find.
 */
import type { StoredText } from '../../engine/engine.ts';
import { HTML_ENTITIES } from './html.ts';
import { type Latin1Bytes, latin1FromBuffer } from './latin1-bytes.ts';

const FIRST_BYTES = 64 * 1024;
/** Bytes that a UTF-16 unit takes at most. */
const MOST_PER_UNIT = 3;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const SURROGATE = 0xd800;
const SURROGATE_MASK = 0xf800;
/** Of the letters that HTML has entities for: those entities. */
const ENTITIES: (Uint8Array | undefined)[] = new Array(0x80).fill(undefined);
for (const [letter, entity] of HTML_ENTITIES) ENTITIES[letter.charCodeAt(0)] = Buffer.from(entity);
/** Of each byte of UTF-8 whether it cannot stand between quotes as it is: in JSON, in HTML. */
const SPECIAL = { json: 1, html: 2 };
const specials = new Uint8Array(0x100);
specials.fill(SPECIAL.json, 0, 0x20);
for (const byte of [QUOTE, BACKSLASH]) specials[byte] = SPECIAL.json;
for (const letter of HTML_ENTITIES.keys()) specials[letter.charCodeAt(0)]! |= SPECIAL.html;
/** Numbers with more decimals than coordinates have are written by JavaScript itself. */
const DECIMALS = 7;
const SCALE = 10 ** DECIMALS;
const MOST_DIGITS = 24;
/** Of ten; more than any number of so many digits. */
const POWERS = Float64Array.from({ length: MOST_DIGITS }, (_, exponent) => 10 ** exponent);
/** Up to so many bytes are copied one by one: a call for them costs more. */
const FEW_BYTES = 12;
const TWO_31 = 0x8000_0000;

export class JsonBytes {
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** What was written. */
  take(): Latin1Bytes {
    return latin1FromBuffer(this.buffer, 0, this.length);
  }

  /** What is JSON already. */
  bytes(bytes: Uint8Array): void {
    const { length } = bytes;
    this.reserve(length);
    if (length > FEW_BYTES) {
      this.buffer.set(bytes, this.length);
    } else {
      for (let i = 0; i < length; i++) this.buffer[this.length + i] = bytes[i]!;
    }
    this.length += length;
  }

  /** The same as a text. */
  text(text: string): void {
    this.reserve(MOST_PER_UNIT * text.length);
    this.length += this.buffer.write(text, this.length);
  }

  /** A text, as it must be between quotes. */
  stored(text: StoredText): void {
    if (!this.tryCopy(text.bytes, text.start, text.end, SPECIAL.json)) this.escaped(text.text);
  }

  /** Part of a text as HTML, between quotes; false, and nothing written, where letters of it must be escaped. */
  tryStoredHtml({ bytes }: StoredText, from: number, to: number): boolean {
    return this.tryCopy(bytes, from, to, SPECIAL.json | SPECIAL.html);
  }

  private tryCopy(bytes: Buffer, from: number, to: number, special: number): boolean {
    this.reserve(to - from);
    const { buffer } = this;
    let at = this.length;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if ((specials[byte]! & special) !== 0) return false;
      buffer[at++] = byte;
    }
    this.length = at;
    return true;
  }

  /** Takes back what was written since `length` was this. */
  rewind(length: number): void {
    this.length = length;
  }

  letter(code: number): void {
    this.reserve(1);
    this.buffer[this.length++] = code;
  }

  /** Part of a text, as it must be between quotes. */
  escaped(text: string, from = 0, to = text.length): void {
    this.reserve(MOST_PER_UNIT * (to - from));
    const { buffer } = this;
    let at = this.length;
    for (let i = from; i < to; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH || (unit & SURROGATE_MASK) === SURROGATE) {
        this.length = at;
        this.text(JSON.stringify(text.slice(i, to)).slice(1, -1));
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
    this.length = at;
  }

  /** Part of a text as HTML, between quotes. */
  html(text: string, from: number, to: number): void {
    let done = from;
    for (let i = from; i < to; i++) {
      const unit = text.charCodeAt(i);
      const entity = unit < 0x80 ? ENTITIES[unit] : undefined;
      if (entity === undefined) continue;
      this.escaped(text, done, i);
      this.bytes(entity);
      done = i + 1;
    }
    this.escaped(text, done, to);
  }

  number(value: number): void {
    if (Number.isSafeInteger(value)) this.integer(value);
    else this.decimal(value);
  }

  private integer(value: number): void {
    this.reserve(MOST_DIGITS);
    if (value < 0) this.buffer[this.length++] = MINUS;
    this.digits(Math.abs(value), 1);
  }

  private decimal(value: number): void {
    const scaled = Math.round(value * SCALE);
    if (!Number.isSafeInteger(scaled) || scaled / SCALE !== value) {
      this.text(JSON.stringify(value));
      return;
    }
    this.reserve(MOST_DIGITS);
    if (scaled < 0) this.buffer[this.length++] = MINUS;
    const size = Math.abs(scaled);
    // coordinates are within 32 bits, where arithmetic is cheaper
    const whole = size < TWO_31 ? ((size | 0) / SCALE) | 0 : Math.floor(size / SCALE);
    this.digits(whole, 1);
    this.fraction((size - whole * SCALE) | 0);
  }

  /** Of so many decimals, those that count; not 0. */
  private fraction(value: number): void {
    let rest = value;
    let places = DECIMALS;
    for (let tenth = (rest / 10) | 0; tenth * 10 === rest; tenth = (rest / 10) | 0) {
      rest = tenth;
      places--;
    }
    this.buffer[this.length++] = POINT;
    this.digits(rest, places);
  }

  /** With at least so many digits. */
  private digits(value: number, least: number): void {
    let count = least;
    while (value >= POWERS[count]!) count++;
    const end = this.length + count;
    let rest = value;
    for (let at = end - 1; at >= this.length; at--) {
      const tens = rest < TWO_31 ? ((rest | 0) / 10) | 0 : Math.floor(rest / 10);
      this.buffer[at] = ZERO + (rest - 10 * tens);
      rest = tens;
    }
    this.length = end;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + more));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
