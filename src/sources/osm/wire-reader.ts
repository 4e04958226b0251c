/**
 * Reads protocol buffer messages field by field. Every read is checked against the end of the message, so damaged bytes
 * end in a `WireError` and never in numbers from elsewhere. Whole numbers are exact up to 2^53.
 */
export class WireError extends Error {
  override readonly name = 'WireError';
}

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

export class WireReader {
  /** Of the field read last. */
  field = 0;
  #wire: number = WIRE.varint;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Moves to the next field; false at the end of the message. */
  next(): boolean {
    if (this.isAtEnd) return false;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.#wire = tag % 8;
    return true;
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError('a number is cut off');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new WireError('a number has more than 64 bits');
  }

  /** A signed number in zigzag form: 0, -1, 1, -2… */
  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A signed number in two's complement, in which a negative one takes ten bytes. */
  int64(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError('a number is cut off');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new WireError('a number has more than 64 bits');
  }

  /** A view of the message's own bytes. */
  bytes(): Uint8Array {
    if (this.#wire !== WIRE.bytes) throw new WireError(`field ${this.field} is a number where bytes should be`);
    const length = this.varint();
    const start = this.#at;
    if (length > this.#bytes.length - start) throw new WireError(`field ${this.field} is cut off`);
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  message(): WireReader {
    return new WireReader(this.bytes());
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  /** A packed list of unsigned numbers. */
  varints(): number[] {
    const list = this.message();
    const values: number[] = [];
    while (!list.isAtEnd) values.push(list.varint());
    return values;
  }

  /** A packed list of zigzag numbers, each stored as its difference from the one before. */
  deltas(): number[] {
    return this.message().restAsDeltas();
  }

  /** The same, where this message is the list. */
  restAsDeltas(): number[] {
    const values: number[] = [];
    let value = 0;
    while (!this.isAtEnd) {
      value += this.zigzag();
      values.push(value);
    }
    return values;
  }

  skip(): void {
    if (this.#wire === WIRE.varint) this.varint();
    else if (this.#wire === WIRE.bytes) this.bytes();
    else if (this.#wire === WIRE.fixed64) this.#at += 8;
    else if (this.#wire === WIRE.fixed32) this.#at += 4;
    else throw new WireError(`field ${this.field} is of a kind that does not exist (${this.#wire})`);
    if (this.#at > this.#bytes.length) throw new WireError(`field ${this.field} is cut off`);
  }
}
