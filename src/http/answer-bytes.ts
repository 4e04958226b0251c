/**
 * The bytes of an answer, put together from texts and from bytes kept of earlier ones. Joined as one long text, an answer
 * would be copied to flatten it, once more to learn its length in UTF-8, and once more to send it.
 */
const FIRST_BYTES = 64 * 1024;
/** Bytes that a UTF-16 unit takes at most. */
const MOST_PER_UNIT = 3;

export class AnswerBytes {
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private length = 0;

  clear(): void {
    this.length = 0;
  }

  text(text: string): void {
    this.reserve(MOST_PER_UNIT * text.length);
    this.length += this.buffer.write(text, this.length);
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** A copy of what was put together. */
  take(): Buffer {
    return Buffer.copyBytesFrom(this.buffer, 0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + more));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
