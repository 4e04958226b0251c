/** Reads a stream in pieces of any length, so that its beginning is in use while the rest arrives. */
export type Chunk = Uint8Array<ArrayBuffer>;

export class ByteReader {
  readonly #chunks: AsyncIterator<Chunk>;
  /** What is left of the last chunk. */
  #chunk: Chunk = new Uint8Array();

  constructor(chunks: AsyncIterable<Chunk>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Resolves with the next `size` bytes, or with fewer if the stream ends before. */
  async take(size: number): Promise<Chunk> {
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      if (this.#chunk.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) break;
        this.#chunk = next.value;
      }
      const part = this.#chunk.subarray(0, size - at);
      this.#chunk = this.#chunk.subarray(part.length);
      bytes.set(part, at);
      at += part.length;
    }
    return bytes.subarray(0, at);
  }
}
