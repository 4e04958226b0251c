/**
 * JSON as bytes, written front to back: an answer is made once, in the form in which it is sent, instead of as an object
 * that is walked to make a text that is turned into bytes.
 */
const FIRST_BYTES = 32 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const SURROGATE = 0xd800;
const SURROGATE_MASK = 0xf800;
/** Decimals that numbers are written with at most; coordinates have seven. */
const DECIMALS = 7;
const SCALE = 10 ** DECIMALS;

export class JsonWriter {
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** A copy of what was written, from the start or from where `length` once was. */
  take(from = 0): Buffer {
    return Buffer.copyBytesFrom(this.buffer, from, this.length - from);
  }

  /** What was taken before. */
  bytes(written: Uint8Array): this {
    this.reserve(written.length);
    this.buffer.set(written, this.length);
    this.length += written.length;
    return this;
  }

  /** Text that is JSON as it is, in ASCII. */
  raw(text: string): this {
    this.reserve(text.length);
    const { buffer: bytes } = this;
    let at = this.length;
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.length = at;
    return this;
  }

  /** A string, in quotes. */
  string(text: string): this {
    return this.raw('"').chars(text, 0, text.length).raw('"');
  }

  /** Part of a string, escaped as it must be between quotes. */
  chars(text: string, from: number, to: number): this {
    this.reserve(3 * (to - from));
    const { buffer: bytes } = this;
    let at = this.length;
    for (let i = from; i < to; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH || (unit & SURROGATE_MASK) === SURROGATE) {
        this.length = at;
        return this.utf8(JSON.stringify(text.slice(i, to)).slice(1, -1));
      }
      if (unit < 0x80) {
        bytes[at++] = unit;
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      }
    }
    this.length = at;
    return this;
  }

  /** A number with up to seven decimals as decimals, any other as JavaScript writes it. */
  number(value: number): this {
    const scaled = Math.round(value * SCALE);
    if (!Number.isSafeInteger(scaled) || scaled / SCALE !== value) return this.raw(JSON.stringify(value));
    this.reserve(24);
    if (scaled < 0) this.buffer[this.length++] = MINUS;
    const size = Math.abs(scaled);
    const whole = Math.floor(size / SCALE);
    this.digits(whole, 1);
    let fraction = (size - whole * SCALE) | 0;
    if (fraction === 0) return this;
    let places = DECIMALS;
    for (let tenth = (fraction / 10) | 0; tenth * 10 === fraction; tenth = (fraction / 10) | 0) {
      fraction = tenth;
      places--;
    }
    this.buffer[this.length++] = POINT;
    this.digits(fraction, places);
    return this;
  }

  /** Anything else, as `JSON.stringify` has it. */
  value(value: unknown): this {
    return this.utf8(JSON.stringify(value));
  }

  strings(texts: readonly string[]): this {
    this.raw('[');
    for (let i = 0; i < texts.length; i++) {
      if (i > 0) this.raw(',');
      this.string(texts[i]!);
    }
    return this.raw(']');
  }

  private utf8(text: string): this {
    this.reserve(3 * text.length);
    this.length += this.buffer.write(text, this.length);
    return this;
  }

  /** With at least so many digits. */
  private digits(value: number, least: number): void {
    let count = least;
    for (let limit = 10 ** least; value >= limit; limit *= 10) count++;
    const end = this.length + count;
    let rest = value;
    for (let at = end - 1; at >= this.length; at--) {
      const tens = rest < 0x8000_0000 ? (rest / 10) | 0 : Math.floor(rest / 10);
      this.buffer[at] = ZERO + rest - 10 * tens;
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
