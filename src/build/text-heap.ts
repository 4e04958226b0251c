/**
 * Texts as UTF-8, one after another, each behind its length in a byte pair; equal texts are kept once.
 * Position 0 holds the empty text.
 */
const MAX_BYTES = 0xffff;

export class TextHeap {
  private bytes = Buffer.alloc(1 << 16);
  private length = 0;
  private readonly known = new Map<string, number>();

  constructor() {
    this.add('');
  }

  /** Where the text is: give it to the reader's `textAt`. */
  add(text: string): number {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    const position = this.length;
    const size = Buffer.byteLength(text);
    if (size > MAX_BYTES) throw new RangeError(`a text of ${size} bytes does not fit: at most ${MAX_BYTES}`);
    this.reserve(size + 2);
    this.bytes.writeUInt16LE(size, position);
    this.bytes.write(text, position + 2);
    this.length = position + 2 + size;
    this.known.set(text, position);
    return position;
  }

  toArray(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.bytes, 0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.alloc(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
