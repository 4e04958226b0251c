/** Decodes protocol buffer messages: https://protobuf.dev/programming-guides/encoding/ */

export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Each byte holds 7 of the 64 bits. */
const MAX_NUMBER_BYTES = 10;
const WIRE_TYPE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * Reads a message field by field. After `next()` returns true, exactly one other method must read
 * or skip the value. Integers are exact up to 2^53.
 */
export class WireReader {
  field = 0;
  #wireType: number = WIRE_TYPE.varint;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): boolean {
    if (this.isAtEnd) return false;
    const numberAndType = this.varint();
    this.field = Math.floor(numberAndType / 8);
    this.#wireType = numberAndType % 8;
    return true;
  }

  /** Reads an unsigned number. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < MAX_NUMBER_BYTES; i++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new WireError('a number is truncated');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new WireError('a number has more than 64 bits');
  }

  /** Reads a signed number in zigzag encoding: 0, 1, 2, 3, … stand for 0, -1, 1, -2, … */
  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Reads a signed number in two's complement. */
  int64(): number {
    const start = this.#at;
    this.varint(); // checks and skips the number, which may be inexact above 2^53
    const bytes = this.#bytes.subarray(start, this.#at);
    const bits = bytes.reduceRight((value, byte) => (value << 7n) | BigInt(byte & 0x7f), 0n);
    return Number(BigInt.asIntN(64, bits));
  }

  /** Returns a view, not a copy. */
  bytes(): Uint8Array {
    if (this.#wireType !== WIRE_TYPE.bytes) throw new WireError(`field ${this.field} is a number, expected bytes`);
    const length = this.varint();
    const start = this.#at;
    if (length > this.#bytes.length - start) throw new WireError(`field ${this.field} is truncated`);
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  message(): WireReader {
    return new WireReader(this.bytes());
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  skip(): void {
    if (this.#wireType === WIRE_TYPE.varint) this.varint();
    else if (this.#wireType === WIRE_TYPE.bytes) this.bytes();
    else if (this.#wireType === WIRE_TYPE.fixed64) this.#at += 8;
    else if (this.#wireType === WIRE_TYPE.fixed32) this.#at += 4;
    else throw new WireError(`field ${this.field} has the unknown wire type ${this.#wireType}`);
    if (this.#at > this.#bytes.length) throw new WireError(`field ${this.field} is truncated`);
  }
}

/** Decodes a packed list of unsigned numbers. */
export function decodeVarints(bytes: Uint8Array): number[] {
  const reader = new WireReader(bytes);
  const values: number[] = [];
  while (!reader.isAtEnd) values.push(reader.varint());
  return values;
}

/** Decodes a packed list of differences between successive numbers. */
export function decodeDeltas(bytes: Uint8Array): number[] {
  const reader = new WireReader(bytes);
  const values: number[] = [];
  let value = 0;
  while (!reader.isAtEnd) {
    value += reader.zigzag();
    values.push(value);
  }
  return values;
}
