/**
 * Makes the served index of another one and an overlay, again whenever one of them changes. Meanwhile and after a
 * failure, the service serves the one made before.
 */
import { basename } from 'node:path';
import { FileReloader, type Log } from 'toponym-files/file-reloader';
import { readIndexFile, readIndexInThread } from 'toponym-files/index-file';
import { releaseHeapSoon } from 'toponym-files/release-heap';
import type { OnProgress } from '../sources/report.ts';
import type { IndexJob, JobEvents } from './index-job.ts';
import { markUsed, overlaidIndex } from './overlaid-index.ts';

interface OverlayJobOptions {
  readonly base: IndexJob;
  /** An absolute path. */
  readonly overlayPath: string;
  /** Where to keep the index; undefined if it cannot be kept. */
  readonly folder: string | undefined;
  readonly log: Log;
  /** Shows the build of the start: later the log tells what happens. */
  readonly progress: { readonly show: OnProgress; readonly end: () => void };
  /** Aborts builds. */
  readonly stopping: AbortSignal | undefined;
}

/** Other processes remove indexes that have not been used for longer than this. */
const MARK_USED_MS = 60_000;

export class OverlayJob implements IndexJob {
  readonly #options: OverlayJobOptions;
  readonly #files: FileReloader;
  readonly #stopping = new AbortController();
  /** The index that was made last, and what it was made of. */
  #path = '';
  #basePath: string | undefined;
  #baseProblem = '';
  /** What of them is being used, for the message if that fails. */
  #usedPart = '';
  #events: JobEvents | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OverlayJobOptions) {
    this.#options = options;
    const { base, overlayPath, log, stopping } = options;
    stopping?.addEventListener('abort', () => this.#stopping.abort(stopping.reason));
    this.#files = new FileReloader({
      what: 'overlay',
      shownName: () => this.#usedPart,
      watchedPaths: () => [base.path(this.#basePath), overlayPath],
      load: () => this.#makeAgain().finally(releaseHeapSoon),
      onChange: () => this.#reportProblems(),
      log,
    });
  }

  path(): string {
    return this.#path;
  }

  async load(beforeRead: () => void): Promise<SharedArrayBuffer> {
    const { base, progress } = this.#options;
    const given = await base.load(() => this.#files.markRead());
    const { path, index } = await this.#make(given, progress.show).finally(progress.end);
    this.#basePath = base.path();
    this.#path = path;
    beforeRead();
    return index ?? readIndexFile(path);
  }

  follow(events: JobEvents): void {
    this.#events = events;
    this.#files.start(events.watchSeconds ?? 1);
    this.#timer = setInterval(() => markUsed(this.#path), MARK_USED_MS).unref();
    this.#options.base.follow?.({
      ...events,
      onNewIndex: () => void this.#files.reload(),
      onProblem: (problem) => {
        this.#baseProblem = problem;
        this.#reportProblems();
      },
    });
  }

  refresh(): void {
    void this.#files.reload();
    this.#options.base.refresh?.();
  }

  stop(): void {
    this.#files.stop();
    clearInterval(this.#timer);
    this.#stopping.abort();
    this.#options.base.stop?.();
  }

  #reportProblems(): void {
    this.#events?.onProblem([this.#baseProblem, this.#files.problem].filter(Boolean).join('; '));
  }

  async #makeAgain(): Promise<object> {
    const { base, overlayPath } = this.#options;
    const basePath = base.path(this.#basePath);
    this.#usedPart = `index ${basename(basePath)}`;
    const read = await readIndexInThread(basePath);
    this.#usedPart = `overlay ${basename(overlayPath)}`;
    const { path, index } = await this.#make(read);
    this.#basePath = basePath;
    const isNew = path !== this.#path || index === undefined;
    this.#path = path;
    if (isNew) this.#events?.onNewIndex();
    return { overlay: overlayPath };
  }

  #make(base: SharedArrayBuffer, onProgress?: OnProgress) {
    const { overlayPath, folder } = this.#options;
    const options = { folder, onProgress, stopping: this.#stopping.signal, readIndex: readIndexInThread };
    return overlaidIndex(base, overlayPath, options);
  }
}
