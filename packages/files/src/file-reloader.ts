/**
 * Reads files again when one of them changes, and on request. If they cannot be used, what was read before stays in
 * use, and `problem` says so. Nothing here may throw or reject, because timers and signal handlers call this class.
 */
import { basename } from 'node:path';
import { errorMessage } from './errors/errors.ts';
import { FileWatch } from './file-watch.ts';
import { createReloadQueue } from './reload-queue.ts';

/** What is used of a log of pino. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', (facts: object, message: string) => void>>;

export interface FileReloaderOptions {
  /** What the files are, for messages: `certificate`. */
  readonly what: string;
  /** The same number of paths each time. */
  readonly watchedPaths: () => readonly string[];
  /** How `problem` calls the files; `what` by default. */
  readonly shownName?: () => string;
  /**
   * Reads and uses the files. Resolves with facts for the log, or with undefined if there are no files.
   * The `publicReason` of an error becomes part of `problem`.
   */
  readonly load: () => Promise<object | undefined>;
  /** Called when `problem` may have changed, and after each reload that a changed file caused. */
  readonly onChange: (reload?: { readonly isOk: boolean }) => void;
  readonly log: Log;
  /** How long changed files may be unusable, because tools write several files one after the other; 0 by default. */
  readonly graceMs?: number;
  /** Between two reloads; 0 by default. */
  readonly pauseMs?: number;
}

export class FileReloader {
  readonly #options: FileReloaderOptions;
  readonly #watch: FileWatch;
  readonly #requestReload: () => Promise<void>;
  /** Set from a change until the files can be used or the grace period ends. */
  #graceTimer: NodeJS.Timeout | undefined;
  #problems = { reload: '', watch: '' };
  #isReloadingChange = false;
  #isStopped = false;

  /** Create it before the files are first read, so that every later change is noticed. */
  constructor(options: FileReloaderOptions) {
    this.#options = options;
    this.#watch = new FileWatch(options.watchedPaths, {
      onChange: () => void this.#reloadChangedFiles(),
      onProblem: (problem) => this.#reportWatchProblem(problem),
    });
    this.#requestReload = createReloadQueue(() => this.#reload(), options.pauseMs ?? 0);
  }

  /** Why the newest files are not in use; empty if they are. It may be public: no folders, no content of files. */
  get problem(): string {
    return Object.values(this.#problems).filter(Boolean).join('; ');
  }

  /** Call right before the files are first read. */
  markRead(): void {
    this.#watch.markRead();
  }

  /** 0 seconds mean that only `reload` reads the files again. */
  start(watchSeconds: number): void {
    if (watchSeconds > 0 && this.#options.watchedPaths().length > 0) this.#watch.start(watchSeconds * 1000);
  }

  /** A running reload then fails, and says nothing of it. */
  stop(): void {
    this.#isStopped = true;
    this.#watch.stop();
    this.#endGrace();
  }

  /** Resolves after a reload that began after this call, with whether the newest files are in use. */
  async reload(): Promise<boolean> {
    this.#endGrace();
    await this.#requestReload();
    return this.#problems.reload === '';
  }

  async #reloadChangedFiles(): Promise<void> {
    const { graceMs = 0, onChange } = this.#options;
    const report = () => onChange({ isOk: this.#problems.reload === '' });
    if (graceMs > 0) this.#graceTimer ??= setTimeout(() => void this.reload().then(report), graceMs).unref();
    if (this.#isReloadingChange) return; // the next poll sees a change that is newer
    this.#isReloadingChange = true;
    await this.#requestReload();
    this.#isReloadingChange = false;
    if (this.#graceTimer === undefined) report();
  }

  async #reload(): Promise<void> {
    const { what, shownName = () => what, load, log } = this.#options;
    if (this.#isStopped) return;
    this.#watch.markRead();
    try {
      const facts = await load();
      this.#endGrace();
      if (facts !== undefined) log.info(facts, `${what} reloaded`);
      this.#report({ reload: '' });
    } catch (error) {
      if (this.#isStopped) return;
      const reason = errorMessage(error);
      if (this.#graceTimer !== undefined) {
        log.info({ reason }, `the changed ${what} files cannot be used yet`);
        return;
      }
      log.error({ reason }, `${what} not reloaded: the old one stays in use`);
      const { publicReason } = error as { publicReason?: string };
      const why = publicReason === undefined ? '; the log says why' : `: ${publicReason}`;
      this.#report({ reload: `${shownName()} not reloaded${why}` });
    }
  }

  #reportWatchProblem(watch: string): void {
    const { what, log } = this.#options;
    if (watch === '') log.info({}, 'all watched files can be read again');
    else log.error({ reason: watch }, `a watched file cannot be read: the old ${what} stays in use`);
    const paths = this.#options.watchedPaths();
    this.#report({ watch: paths.reduce((shown, path) => shown.replaceAll(path, basename(path)), watch) });
  }

  #report(problems: { reload: string } | { watch: string }): void {
    this.#problems = { ...this.#problems, ...problems };
    this.#options.onChange();
  }

  #endGrace(): void {
    clearTimeout(this.#graceTimer);
    this.#graceTimer = undefined;
  }
}
