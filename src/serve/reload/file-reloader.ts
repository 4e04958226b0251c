/**
 * Reloads the certificate, or the IP databases, when one of their files changes, and on request. Tools
 * write the files one after the other, so changed files that cannot be used yet are reported only after
 * a grace period. Nothing here may throw or reject, because timers call this class.
 */
import { errorMessage } from '../../errors/errors.ts';
import type { Logger } from '../log.ts';
import { FileWatch, type WatchEvents } from './file-watch.ts';
import { createReloadQueue } from './reload-queue.ts';

export interface FileReload<Content> {
  /** Undefined if the old files stay in use, or if there are none. */
  readonly content: Content | undefined;
  /** Why the files are not in use, for `/readyz`; empty if they are. */
  readonly problem: string;
}

interface FileReloaderOptions<Content> {
  /** What the files are, for messages: `certificate`. */
  readonly what: string;
  readonly watchedPaths: readonly string[];
  /** Rejects if the files cannot be used. Resolves with undefined if there are none. */
  readonly load: () => Promise<Content | undefined>;
  /** Rejects if a thread refuses the content. */
  readonly use: (content: Content) => Promise<void>;
  /** Called after a reload that a changed file caused, but not before the grace period has ended. */
  readonly onReloaded: (result: FileReload<Content>) => void;
  readonly onWatchProblem: WatchEvents['onProblem'];
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly graceMs?: number;
}

// tools write both files within milliseconds, people within seconds
const GRACE_MS = 10_000;

export class FileReloader<Content> {
  readonly #options: FileReloaderOptions<Content>;
  readonly #watch: FileWatch;
  readonly #requestReload: () => Promise<void>;
  /** Set from a change until the files can be used or the grace period ends. */
  #graceTimer: NodeJS.Timeout | undefined;
  #result: FileReload<Content> = { content: undefined, problem: '' };

  /** Create it before the files are first read, so that every later change is noticed. */
  constructor(options: FileReloaderOptions<Content>) {
    this.#options = options;
    this.#watch = new FileWatch(() => options.watchedPaths, {
      onChange: () => void this.#reloadChangedFiles(),
      onProblem: options.onWatchProblem,
    });
    this.#requestReload = createReloadQueue(() => this.#reload(), 0);
  }

  start(intervalMs: number): void {
    if (this.#options.watchedPaths.length > 0) this.#watch.start(intervalMs);
  }

  stop(): void {
    this.#watch.stop();
    this.endGrace();
  }

  /** Makes the next reload report its problem, even shortly after a change. */
  endGrace(): void {
    clearTimeout(this.#graceTimer);
    this.#graceTimer = undefined;
  }

  /** Resolves after a reload that began after this call. */
  async reload(): Promise<FileReload<Content>> {
    await this.#requestReload();
    return this.#result;
  }

  async #reloadChangedFiles(): Promise<void> {
    const { graceMs = GRACE_MS, onReloaded } = this.#options;
    this.#graceTimer ??= setTimeout(() => {
      this.endGrace();
      void this.reload().then(onReloaded);
    }, graceMs).unref();
    const result = await this.reload();
    if (this.#graceTimer === undefined) onReloaded(result);
  }

  async #reload(): Promise<void> {
    const { what, load, use, log } = this.#options;
    this.#watch.markRead();
    try {
      const content = await load();
      if (content !== undefined) await use(content);
      this.#result = { content, problem: '' };
      this.endGrace();
    } catch (error) {
      const reason = errorMessage(error);
      if (this.#graceTimer !== undefined) {
        log.info({ reason }, `the changed ${what} files cannot be used yet`);
        return;
      }
      log.error({ reason }, `${what} not reloaded: the old one stays in use`);
      this.#result = { content: undefined, problem: `${what} not reloaded; the log says why` };
    }
  }
}
