/**
 * What makes the index that `toponym serve` serves: it ends by putting a complete file in place, at the start and
 * whenever what it is made of changes. The service reads that file, and knows nothing else about data.
 */
import type { Log } from 'toponym-files/file-reloader';

export interface IndexJob {
  /** Path of the newest index. `served` is the path of the one being served. */
  path(served?: string): string;
  /** Reads and verifies the index, which it makes first if needed. Calls `beforeRead` right before opening the file. */
  load(beforeRead: () => void): Promise<SharedArrayBuffer>;
  /** Makes a new index whenever it can, from now on. */
  follow?(events: JobEvents): void;
  /** Makes a new index now, on request. */
  refresh?(): void;
  stop?(): void;
}

export interface JobEvents {
  /** Interval of the checks for something new; 0 for never. */
  readonly watchSeconds: number | undefined;
  readonly log: Log;
  /** There is a new index. */
  readonly onNewIndex: () => void;
  /** Called when it changes why there is no newer index; '' if there is. Public: no folders, no content of files. */
  readonly onProblem: (problem: string) => void;
}
