/**
 * Keeps a running service up to date with its files: reloads when the index or the overlay changes and when asked to,
 * one reload at a time. Nothing here throws or rejects, because it runs in timers and signal handlers.
 */
import { freeMemorySoon, MEMORY_FREED_MS } from './free-memory.ts';
import type { Logger } from './log.ts';
import { Notice } from './notice.ts';
import { type ReloadSources, reload } from './reload.ts';
import { createReloadQueue, type ReloadQueue } from './reload-queue.ts';
import { reasonOf } from './usage-error.ts';
import { FileWatch } from './watch-files.ts';
import type { WorkerPool } from './worker-pool.ts';

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
  }

  /** `places` is how many the index being served holds. With 0 seconds files are not watched. */
  start(places: number, watchSeconds: number): void {
    this.#places = places;
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
    const { data } = await reload({ ...this.#service, servedPlaces: this.#places, notice: this.#notice });
    this.#places = data?.places ?? this.#places;
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
      log.error({ reason: reasonOf(error) }, 'the threads were not told of it');
    }
  }
}
