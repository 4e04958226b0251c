/**
 * Strings in UTF-8, each preceded by its length in two bytes. Offset 0 is the empty string. Threads
 * may read the memory while it grows.
 */

import { hashBytes } from 'toponym-engine/collections/hash';
import { grown, sharedArray } from 'toponym-engine/collections/typed-array';
import { LENGTH_BYTES, MAX_TEXT_BYTES } from 'toponym-engine/index-file/layout';

const MAX_BYTES_PER_CODE_UNIT = 3;

export class StringList {
  protected bytes: Buffer;
  protected length = LENGTH_BYTES; // the list starts with the empty string
  private memory: Uint8Array;

  /** A list on the memory of another thread's list is only for reading. */
  constructor(memory: Uint8Array = sharedArray(Uint8Array)) {
    this.memory = memory;
    this.bytes = asBuffer(memory);
  }

  /** Returns the offset of the string. */
  append(text: string): number {
    if (text === '') return 0;
    this.reserve(LENGTH_BYTES + MAX_BYTES_PER_CODE_UNIT * text.length);
    const size = this.bytes.write(text, this.length + LENGTH_BYTES);
    if (size > MAX_TEXT_BYTES)
      throw new RangeError(`a string of ${size} bytes is too long: the maximum is ${MAX_TEXT_BYTES}`);
    this.bytes.writeUInt16LE(size, this.length);
    return this.extend(size);
  }

  at(offset: number): string {
    const start = offset + LENGTH_BYTES;
    return this.bytes.toString('utf8', start, start + this.bytes.readUInt16LE(offset));
  }

  /** The memory for a list in another thread. */
  share(): Uint8Array {
    return this.memory;
  }

  /** The bytes, not copied. */
  view(): Uint8Array {
    return this.memory.subarray(0, this.length);
  }

  protected appendFrom(other: StringList, offset: number): number {
    const size = other.bytes.readUInt16LE(offset);
    this.reserve(LENGTH_BYTES + size);
    other.bytes.copy(this.bytes, this.length, offset, offset + LENGTH_BYTES + size);
    return this.extend(size);
  }

  /** Returns the offset of the string of `size` bytes that was written at the end. */
  private extend(size: number): number {
    const offset = this.length;
    this.length += LENGTH_BYTES + size;
    return offset;
  }

  private reserve(moreBytes: number): void {
    const needed = this.length + moreBytes;
    if (needed <= this.memory.length) return;
    this.memory = grown(this.memory, needed);
    this.bytes = asBuffer(this.memory);
  }
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Distinct strings. A Map would take ten times the memory, and holds at most 16.7 million strings. */
export class StringPool extends StringList {
  private count = 0;
  /** Hash table of offsets, with linear probing. 0 is a free slot. */
  private slots = new Uint32Array(1 << 12);

  /** Returns the offset of the string, which is added unless present. */
  add(text: string): number {
    return text === '' ? 0 : this.internLast(this.append(text));
  }

  addFrom(other: StringList, offset: number): number {
    return offset === 0 ? 0 : this.internLast(this.appendFrom(other, offset));
  }

  /** Removes the last string if the pool already had it. */
  private internLast(offset: number): number {
    const slot = this.findSlot(offset);
    const existing = this.slots[slot]!;
    if (existing !== 0) {
      this.length = offset;
      return existing;
    }
    this.slots[slot] = offset;
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
}
