/**
 * The body of an answer, chunk by chunk, with those that came just before the connection broke off: a stream throws away
 * what it holds when it fails, and a download that goes on later would have to fetch it again.
 */
import type { IncomingMessage } from 'node:http';

/** While so much waits to be taken, no more is read from the network. */
const MAX_WAITING_BYTES = 1 << 20;

export class ArrivedChunks {
  readonly #answer: IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #waitingBytes = 0;
  #isOver = false;
  #error: unknown;
  #wake = () => {};

  /** Must be made as soon as the answer is there. */
  constructor(answer: IncomingMessage) {
    this.#answer = answer;
    answer.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#waitingBytes += chunk.length;
      if (this.#waitingBytes > MAX_WAITING_BYTES) answer.pause();
      this.#wake();
    });
    answer.once('error', (error) => this.#end(error));
    answer.once('close', () => this.#end(answer.complete ? undefined : new Error('aborted')));
    answer.once('end', () => this.#end(undefined));
  }

  /** Undefined at the end of a body that came whole; throws at the end of one that did not. */
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
    this.#waitingBytes -= chunk.length;
    if (this.#waitingBytes <= MAX_WAITING_BYTES) this.#answer.resume();
    return chunk;
  }

  #end(error: unknown): void {
    if (!this.#isOver) this.#error = error;
    this.#isOver = true;
    this.#wake();
  }
}
