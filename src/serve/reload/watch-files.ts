/**
 * Watches files for changes by polling their inode, size and times, which works on every file system and for files that
 * are renamed into place. A file that is still being written is left alone: a change counts once the file looks the same
 * in two polls in a row. A poll never throws: a path that cannot be examined is reported.
 */
import { statSync } from 'node:fs';
import { errorMessage } from '../../errors/error-message.ts';

export interface WatchEvents {
  /** A file differs from the one that was last read. Called at each poll until `markRead`. */
  readonly onChange: () => void;
  /** Called when the problem changes: which paths cannot be examined and why, or an empty text. */
  readonly onProblem: (problem: string) => void;
}

interface FileState {
  readonly isReadable: boolean;
  /** What changes when the file does, or why it cannot be examined. */
  readonly text: string;
}

export class FileWatch {
  readonly #paths: readonly string[];
  readonly #events: WatchEvents;
  #read: readonly FileState[];
  #last: readonly FileState[];
  #problem = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(paths: readonly string[], events: WatchEvents) {
    this.#paths = paths;
    this.#events = events;
    this.#read = paths.map(examine);
    this.#last = this.#read;
  }

  /** Call before the files are read: a change from then on, even while they are being read, is reported. */
  markRead(): void {
    this.#read = this.#paths.map(examine);
  }

  start(everyMs: number): void {
    this.#timer = setInterval(() => this.poll(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  poll(): void {
    const last = this.#last;
    const now = this.#paths.map(examine);
    this.#last = now;
    const settled = now.filter(({ text }, i) => text === last[i]?.text);
    if (settled.length === now.length) {
      const problem = settled.flatMap(({ isReadable, text }) => (isReadable ? [] : [text])).join('; ');
      if (problem !== this.#problem) this.#events.onProblem(problem);
      this.#problem = problem;
    }
    const isChanged = now.some(
      ({ isReadable, text }, i) => isReadable && text === last[i]?.text && text !== this.#read[i]?.text,
    );
    if (isChanged) this.#events.onChange();
  }
}

function examine(path: string): FileState {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    // the change time shows that permissions were mended, which makes another try worthwhile
    return { isReadable: true, text: `${ino} ${size} ${mtimeNs} ${ctimeNs}` };
  } catch (error) {
    return { isReadable: false, text: errorMessage(error) };
  }
}
