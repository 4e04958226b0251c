/**
 * The chunks of a response body. If the connection is lost, those that have arrived are still
 * delivered; a stream of Node would discard them.
 */
import type { IncomingMessage } from 'node:http';
import { connectionLost } from './download-error.ts';

/** Reading from the network pauses while more than this is queued. */
const MAX_QUEUED_BYTES = 1 << 20;

export class ChunkQueue {
  readonly #response: IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #queuedBytes = 0;
  #isOver = false;
  #error: unknown;
  #wake = () => {};

  /** Must be called in the listener of the `response` event, so that no chunk is missed. */
  constructor(response: IncomingMessage) {
    this.#response = response;
    response.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#queuedBytes += chunk.length;
      if (this.#queuedBytes > MAX_QUEUED_BYTES) response.pause();
      this.#wake();
    });
    response.once('error', (error) => this.#end(error));
    response.once('close', () => this.#end(response.complete ? undefined : connectionLost()));
    response.once('end', () => this.#end(undefined));
  }

  /** Returns undefined at the end of the body. Throws if the body is cut off. */
  async take(): Promise<Buffer | undefined> {
    while (this.#chunks.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    if (chunk === undefined) {
      if (this.#error !== undefined) throw this.#error;
      return undefined;
    }
    this.#queuedBytes -= chunk.length;
    if (this.#queuedBytes <= MAX_QUEUED_BYTES) this.#response.resume();
    return chunk;
  }

  /** Only the first call counts: `close` follows `end` and `error`. */
  #end(error: unknown): void {
    if (!this.#isOver) this.#error = error;
    this.#isOver = true;
    this.#wake();
  }
}
