/**
 * Distinct strings in UTF-8, each preceded by its length in two bytes. Offset 0 is the empty
 * string. A Map would take ten times the memory, and holds at most 16.7 million strings.
 */
import { hashBytes } from '../collections/hash.ts';
import { grown, sharedArray } from '../collections/typed-array.ts';

const MAX_STRING_BYTES = 0xffff;
const LENGTH_BYTES = 2;

export class StringPool {
  /** A pool for reading, on the memory of another thread's pool. */
  static open(bytes: Uint8Array): StringPool {
    const pool = new StringPool();
    pool.bytes = asBuffer(bytes);
    return pool;
  }

  private bytes = asBuffer(sharedArray(Uint8Array));
  private length = LENGTH_BYTES; // the pool starts with the empty string
  private count = 0;
  /** Hash table of offsets, with linear probing. 0 is a free slot. */
  private slots = new Uint32Array(1 << 12);

  /** Returns the offset of the string, which is added unless present. */
  add(text: string): number {
    if (text === '') return 0;
    const size = Buffer.byteLength(text);
    if (size > MAX_STRING_BYTES)
      throw new RangeError(`a string of ${size} bytes is too long: the maximum is ${MAX_STRING_BYTES}`);
    this.reserve(LENGTH_BYTES + size);
    this.bytes.writeUInt16LE(size, this.length);
    this.bytes.write(text, this.length + LENGTH_BYTES);
    return this.internLast(size);
  }

  addFrom(other: StringPool, offset: number): number {
    if (offset === 0) return 0;
    const size = other.bytes.readUInt16LE(offset);
    this.reserve(LENGTH_BYTES + size);
    other.bytes.copy(this.bytes, this.length, offset, offset + LENGTH_BYTES + size);
    return this.internLast(size);
  }

  at(offset: number): string {
    const start = offset + LENGTH_BYTES;
    return this.bytes.toString('utf8', start, start + this.bytes.readUInt16LE(offset));
  }

  /** The memory, which other threads may read up to the last string that they know of. */
  share(): Uint8Array {
    return asArray(this.bytes);
  }

  toArray(): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, this.length));
  }

  /** Keeps the string just written at the end, unless the pool has it. */
  private internLast(size: number): number {
    const offset = this.length;
    const slot = this.findSlot(offset);
    const existing = this.slots[slot]!;
    if (existing !== 0) return existing;
    this.slots[slot] = offset;
    this.length += LENGTH_BYTES + size;
    this.count++;
    if (2 * this.count > this.slots.length) this.growSlots();
    return offset;
  }

  /** The slot of an equal string, or the free slot for it. */
  private findSlot(offset: number): number {
    const { bytes, slots } = this;
    const mask = slots.length - 1;
    const entrySize = LENGTH_BYTES + bytes.readUInt16LE(offset);
    let slot = hashBytes(bytes, offset, offset + entrySize) & mask;
    for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
      let i = 0;
      while (i < entrySize && bytes[found + i] === bytes[offset + i]) i++;
      if (i === entrySize) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private growSlots(): void {
    this.slots = new Uint32Array(2 * this.slots.length);
    for (let at = LENGTH_BYTES; at < this.length; at += LENGTH_BYTES + this.bytes.readUInt16LE(at)) {
      this.slots[this.findSlot(at)] = at;
    }
  }

  private reserve(moreBytes: number): void {
    const needed = this.length + moreBytes;
    if (needed > this.bytes.length) this.bytes = asBuffer(grown(asArray(this.bytes), needed));
  }
}

function asArray({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
