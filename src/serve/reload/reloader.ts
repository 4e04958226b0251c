/**
 * Reloads a running service when the index or the overlay changes, and on request. Nothing here may
 * throw or reject, because timers and signal handlers call this class.
 */
import { statSync } from 'node:fs';
import { errorMessage } from '../../errors/error-message.ts';
import type { ProcessState } from '../metrics/process-metrics.ts';
import { collectGarbageSoon, PAUSE_AFTER_RELOAD_MS } from '../threads/garbage-collection.ts';
import { FileWatch } from './file-watch.ts';
import { Notice } from './notice.ts';
import { type ReloadContext, reloadAll } from './reload.ts';
import { createReloadQueue, type ReloadQueue } from './reload-queue.ts';

type ReloaderOptions = Pick<ReloadContext, 'pool' | 'sources' | 'log'>;

export class Reloader {
  readonly #options: ReloaderOptions;
  readonly #notice: Notice;
  readonly #watch: FileWatch;
  readonly #queue: ReloadQueue;
  #servedPlaceCount: number | undefined;
  readonly #reloads = { ok: 0, failed: 0 };
  /** Modification time of the index file last read, even if that index was refused. */
  #readModifiedMs: number | undefined;
  #servedModifiedMs: number | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    const { indexPath, overlayPath, privatePaths } = options.sources;
    this.#notice = new Notice(privatePaths);
    this.#watch = new FileWatch(overlayPath === undefined ? [indexPath] : [indexPath, overlayPath], {
      onChange: () => void this.request(),
      onProblem: (problem) => void this.#reportWatchProblem(problem),
    });
    this.#queue = createReloadQueue(() => this.#reload(), PAUSE_AFTER_RELOAD_MS);
  }

  /** Call right before the files are read, so that every later change causes a reload. */
  markRead(): void {
    this.#watch.markRead();
    this.#readModifiedMs = modifiedMs(this.#options.sources.indexPath);
  }

  get state(): ProcessState {
    return { reloads: this.#reloads, indexModifiedMs: this.#servedModifiedMs };
  }

  /** The warning that `/readyz` shows; empty if there is none. */
  get notice(): string {
    return this.#notice.text;
  }

  /** Watches the files, unless `watchSeconds` is 0. */
  start(servedPlaceCount: number, watchSeconds: number): void {
    this.#servedPlaceCount = servedPlaceCount;
    this.#servedModifiedMs = this.#readModifiedMs;
    if (watchSeconds > 0) this.#watch.start(watchSeconds * 1000);
  }

  stop(): void {
    this.#watch.stop();
  }

  /** Resolves after a reload that began after this call, whether it succeeded or failed. */
  async request(): Promise<void> {
    try {
      await this.#queue.request();
    } catch (error) {
      // unexpected: `reloadAll` logs files that cannot be used
      this.#options.log.error({ err: error }, 'a reload failed: the old data stay in use');
    }
  }

  async #reload(): Promise<void> {
    this.markRead();
    const context = { ...this.#options, servedPlaceCount: this.#servedPlaceCount, notice: this.#notice };
    const { isComplete, newPlaceCount } = await reloadAll(context);
    if (newPlaceCount !== undefined) {
      this.#servedPlaceCount = newPlaceCount;
      this.#servedModifiedMs = this.#readModifiedMs;
    }
    this.#reloads[isComplete ? 'ok' : 'failed']++;
    collectGarbageSoon();
  }

  async #reportWatchProblem(problem: string): Promise<void> {
    const { log, pool } = this.#options;
    if (problem === '') log.info('all watched files can be read again');
    else log.error({ reason: problem }, 'a watched file cannot be read: the old data stay in use');
    this.#notice.set('watch', problem);
    try {
      await pool.replaceValues({ notice: this.#notice.text });
    } catch (error) {
      log.error({ reason: errorMessage(error) }, 'the worker threads did not receive the notice');
    }
  }
}

function modifiedMs(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
