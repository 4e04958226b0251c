/**
 * Texts as UTF-8, one after another, each behind its length in a byte pair; equal texts are kept once.
 * Position 0 holds the empty text. Which texts are known is a hash table of positions: a Map of the texts themselves would
 * take ten times the memory, and ends at 16.7 million.
 */
import { hashBytes } from '../../collections/hash.ts';

const MAX_BYTES = 0xffff;
const LENGTH_BYTES = 2;

export class StringPool {
  private bytes = Buffer.alloc(1 << 16);
  private length = LENGTH_BYTES;
  private count = 0;
  /** Positions by hash, with linear probing; 0 is a free slot. */
  private slots = new Uint32Array(1 << 12);

  /** Where the text is: give it to the reader's `textAt`. */
  add(text: string): number {
    if (text === '') return 0;
    const size = Buffer.byteLength(text);
    if (size > MAX_BYTES) throw new RangeError(`a text of ${size} bytes does not fit: at most ${MAX_BYTES}`);
    this.reserve(LENGTH_BYTES + size);
    this.bytes.writeUInt16LE(size, this.length);
    this.bytes.write(text, this.length + LENGTH_BYTES);
    return this.keepLast(size);
  }

  /** Adds a text of another heap without decoding it. */
  addFrom(other: StringPool, position: number): number {
    if (position === 0) return 0;
    const size = other.bytes.readUInt16LE(position);
    this.reserve(LENGTH_BYTES + size);
    other.bytes.copy(this.bytes, this.length, position, position + LENGTH_BYTES + size);
    return this.keepLast(size);
  }

  textAt(position: number): string {
    const start = position + LENGTH_BYTES;
    return this.bytes.toString('utf8', start, start + this.bytes.readUInt16LE(position));
  }

  toArray(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.bytes, 0, this.length);
  }

  /** The text just written behind the end: kept, unless an equal one is there. */
  private keepLast(size: number): number {
    const position = this.length;
    const slot = this.slotOf(position);
    const known = this.slots[slot]!;
    if (known !== 0) return known;
    this.slots[slot] = position;
    this.length += LENGTH_BYTES + size;
    this.count++;
    if (2 * this.count > this.slots.length) this.enlargeSlots();
    return position;
  }

  /** The slot of an equal text, or the free one where it belongs. */
  private slotOf(position: number): number {
    const { bytes, slots } = this;
    const mask = slots.length - 1;
    const size = LENGTH_BYTES + bytes.readUInt16LE(position);
    let slot = hashBytes(bytes, position, position + size) & mask;
    for (let other = slots[slot]!; other !== 0; other = slots[slot]!) {
      let i = 0;
      while (i < size && bytes[other + i] === bytes[position + i]) i++;
      if (i === size) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private enlargeSlots(): void {
    this.slots = new Uint32Array(2 * this.slots.length);
    for (let at = LENGTH_BYTES; at < this.length; at += LENGTH_BYTES + this.bytes.readUInt16LE(at)) {
      this.slots[this.slotOf(at)] = at;
    }
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    this.bytes = Buffer.concat([this.bytes], Math.max(2 * this.bytes.length, this.length + more));
  }
}
