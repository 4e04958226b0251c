/**
 * Watches files by polling their inode, size and times, which works on every file system and for
 * files that are renamed into place. A change counts once two polls in a row agree, so files still
 * being written are ignored. A poll never throws: it reports paths that stat fails on.
 */
import { statSync } from 'node:fs';
import { errorMessage } from '../../errors/error-message.ts';

export interface WatchEvents {
  /** Called at each poll while a file differs from the version last read, until `markRead`. */
  readonly onChange: () => void;
  /** Called when the problem changes: the reasons why stat fails, or an empty string. */
  readonly onProblem: (problem: string) => void;
}

interface FileState {
  readonly isReadable: boolean;
  /** A fingerprint of the file, or why stat failed. */
  readonly text: string;
}

export class FileWatch {
  readonly #paths: readonly string[];
  readonly #events: WatchEvents;
  #lastRead: readonly FileState[];
  #lastPoll: readonly FileState[];
  #problem = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(paths: readonly string[], events: WatchEvents) {
    this.#paths = paths;
    this.#events = events;
    this.#lastRead = paths.map(examine);
    this.#lastPoll = this.#lastRead;
  }

  /** Call before reading the files: every later change is reported, even one during the read. */
  markRead(): void {
    this.#lastRead = this.#paths.map(examine);
  }

  start(intervalMs: number): void {
    this.#timer = setInterval(() => this.poll(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  poll(): void {
    const last = this.#lastPoll;
    const now = this.#paths.map(examine);
    this.#lastPoll = now;
    const settled = now.filter(({ text }, i) => text === last[i]?.text);
    if (settled.length === now.length) {
      const problem = settled.flatMap(({ isReadable, text }) => (isReadable ? [] : [text])).join('; ');
      if (problem !== this.#problem) this.#events.onProblem(problem);
      this.#problem = problem;
    }
    const isChanged = now.some(
      ({ isReadable, text }, i) => isReadable && text === last[i]?.text && text !== this.#lastRead[i]?.text,
    );
    if (isChanged) this.#events.onChange();
  }
}

function examine(path: string): FileState {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    // ctime also shows changed permissions, after which reading may succeed
    return { isReadable: true, text: `${ino} ${size} ${mtimeNs} ${ctimeNs}` };
  } catch (error) {
    return { isReadable: false, text: errorMessage(error) };
  }
}
