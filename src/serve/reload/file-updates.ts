/**
 * Keeps a running service up to date with its files: reloads when the index or the overlay changes and when asked to,
 * one reload at a time. Nothing here throws or rejects, because it runs in timers and signal handlers.
 */
import { statSync } from 'node:fs';
import { errorMessage } from '../../errors/error-message.ts';
import type { Logger } from '../log.ts';
import type { ProcessState } from '../metrics/process-metrics.ts';
import { freeMemorySoon, MEMORY_FREED_MS } from '../threads/free-memory.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import { Notice } from './notice.ts';
import { type ReloadSources, reload } from './reload.ts';
import { createReloadQueue, type ReloadQueue } from './reload-queue.ts';
import { FileWatch } from './watch-files.ts';

export interface UpdatedService {
  readonly pool: WorkerPool;
  readonly sources: ReloadSources;
  readonly log: Logger;
  /** Files whose changes are taken up. */
  readonly watchedPaths: readonly string[];
  /** Paths that `/readyz` shows without their folders. */
  readonly privatePaths: readonly string[];
}

export class FileUpdates {
  readonly #service: UpdatedService;
  readonly #notice: Notice;
  readonly #watch: FileWatch;
  readonly #queue: ReloadQueue;
  /** In the index being served. */
  #places: number | undefined;
  readonly #reloads = { ok: 0, failed: 0 };
  /** When the index file was written: the one read last, and the one being served. */
  #readWrittenMs: number | undefined;
  #servedWrittenMs: number | undefined;

  constructor(service: UpdatedService) {
    this.#service = service;
    this.#notice = new Notice(service.privatePaths);
    this.#watch = new FileWatch(service.watchedPaths, {
      onChange: () => void this.request(),
      onProblem: (problem) => void this.#report(problem),
    });
    this.#queue = createReloadQueue(() => this.#reload(), MEMORY_FREED_MS);
  }

  /** Call before the files are read at the start: changes from then on are taken up. */
  markRead(): void {
    this.#watch.markRead();
    this.#readWrittenMs = writtenMs(this.#service.sources.indexPath);
  }

  /** For metrics. */
  get state(): ProcessState {
    return { reloads: this.#reloads, indexWrittenMs: this.#servedWrittenMs };
  }

  /** `places` is how many the index being served holds. With 0 seconds files are not watched. */
  start(places: number, watchSeconds: number): void {
    this.#places = places;
    this.#servedWrittenMs = this.#readWrittenMs;
    if (watchSeconds > 0) this.#watch.start(watchSeconds * 1000);
  }

  stop(): void {
    this.#watch.stop();
  }

  /** Resolves when a reload that began after this call has ended, with whatever result. */
  async request(): Promise<void> {
    try {
      await this.#queue.request();
    } catch (error) {
      this.#service.log.error({ err: error }, 'a reload failed: what was served before goes on');
    }
  }

  async #reload(): Promise<void> {
    this.markRead();
    const { isWhole, data } = await reload({ ...this.#service, servedPlaces: this.#places, notice: this.#notice });
    if (data !== undefined) {
      this.#places = data.places;
      this.#servedWrittenMs = this.#readWrittenMs;
    }
    this.#reloads[isWhole ? 'ok' : 'failed']++;
    freeMemorySoon();
  }

  async #report(problem: string): Promise<void> {
    const { log, pool } = this.#service;
    if (problem === '') log.info('all watched files can be read again');
    else log.error({ reason: problem }, 'a watched file cannot be read: the old data goes on serving');
    this.#notice.set('watch', problem);
    try {
      await pool.reload({ problem: this.#notice.text });
    } catch (error) {
      log.error({ reason: errorMessage(error) }, 'the threads did not receive the notice');
    }
  }
}

function writtenMs(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
