/**
 * Watches files by polling, which works on every file system. A change or a failing stat is
 * reported once two polls in a row find the same state, so files still being written are ignored.
 */
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from './errors/errors.ts';

export interface WatchEvents {
  /** Called at each poll that finds a settled change, until `markRead` is called. */
  readonly onChange: () => void;
  /** Called when the problem changes; '' if stat works for all files again. */
  readonly onProblem: (problem: string) => void;
}

/** One of the two fields is empty. */
interface FileState {
  readonly fingerprint: string;
  readonly problem: string;
}

export class FileWatch {
  readonly #paths: () => readonly string[];
  readonly #events: WatchEvents;
  #lastRead: readonly FileState[];
  #lastPoll: readonly FileState[];
  #problem = '';
  #timer: NodeJS.Timeout | undefined;

  /** `paths` returns the same number of paths each time. Another path is a change. */
  constructor(paths: () => readonly string[], events: WatchEvents) {
    this.#paths = paths;
    this.#events = events;
    this.#lastRead = paths().map(examine);
    this.#lastPoll = this.#lastRead;
  }

  /** Call right before reading the files, so that a change during the read is reported. */
  markRead(): void {
    this.#lastRead = this.#paths().map(examine);
  }

  start(intervalMs: number): void {
    this.#timer = setInterval(() => this.poll(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  poll(): void {
    const before = this.#lastPoll;
    const now = this.#paths().map(examine);
    this.#lastPoll = now;
    const isSettled = (state: FileState, i: number) => isDeepStrictEqual(state, before[i]);
    if (now.every(isSettled)) {
      const problem = now
        .map((state) => state.problem)
        .filter(Boolean)
        .join('; ');
      if (problem !== this.#problem) this.#events.onProblem(problem);
      this.#problem = problem;
    }
    // a file without a fingerprint has a problem, not a change
    const isChanged = ({ fingerprint }: FileState, i: number) =>
      fingerprint !== '' && fingerprint !== this.#lastRead[i]?.fingerprint;
    if (now.some((state, i) => isSettled(state, i) && isChanged(state, i))) this.#events.onChange();
  }
}

function examine(path: string): FileState {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    // ctime also shows changed permissions, after which reading may succeed
    return { fingerprint: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, problem: '' };
  } catch (error) {
    return { fingerprint: '', problem: errorMessage(error) };
  }
}
