/** The output of a child process, line by line. */
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { withDeadline } from './deadline.ts';

export class OutputLines {
  readonly lines: string[] = [];
  readonly #reader: Interface;
  readonly #closed: Promise<unknown>;

  constructor(stream: Readable) {
    this.#reader = createInterface({ input: stream });
    this.#reader.on('line', (line) => this.lines.push(line));
    this.#closed = once(this.#reader, 'close');
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** Waits until `times` lines contain `part`. */
  async contains(part: string, times = 1): Promise<void> {
    const isFound = () => this.lines.filter((line) => line.includes(part)).length >= times;
    const found = async () => {
      while (!isFound()) {
        const isClosed = await Promise.race([
          once(this.#reader, 'line').then(() => false),
          this.#closed.then(() => true),
        ]);
        if (isClosed && !isFound()) throw new Error(`the output ended without ${JSON.stringify(part)}:\n${this.text}`);
      }
    };
    await withDeadline(`the output contains ${JSON.stringify(part)} ${times} times`, found());
  }
}
