/** The index being served: read again when its file changes, checked, and given to the threads. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { FileReloader, type FileReloaderOptions } from 'toponym-files/file-reloader';
import { releaseHeapSoon } from 'toponym-files/release-heap';
import type { WorkerPool } from '../threads/worker-pool.ts';
import { readNewData, type ServedFacts } from './new-data.ts';

export interface ServedIndexOptions extends Pick<FileReloaderOptions, 'onChange' | 'log'> {
  readonly pool: WorkerPool;
  /** Path of the newest index. `served` is the path of the one being served. */
  readonly indexPath: (served?: string) => string;
  readonly allowShrunkenData: boolean;
}

/** Pause between two reloads, in which the old index is freed. */
const PAUSE_MS = 1500;

export class ServedIndex {
  readonly reloader: FileReloader;
  readonly #options: ServedIndexOptions;
  #path: string | undefined;
  facts: ServedFacts | undefined;
  /** Modification time of its file; undefined if stat failed. */
  modifiedMs: number | undefined;

  constructor(options: ServedIndexOptions) {
    this.#options = options;
    const { onChange, log } = options;
    this.reloader = new FileReloader({
      what: 'index',
      shownName: () => `index ${basename(this.#newestPath)}`,
      watchedPaths: () => [this.#newestPath],
      load: () => this.#reload().finally(releaseHeapSoon),
      pauseMs: PAUSE_MS,
      onChange,
      log,
    });
  }

  /** Call right before the index is first read, so that every later change causes a reload. */
  markRead(): void {
    this.reloader.markRead();
    this.modifiedMs = modifiedMs(this.#newestPath);
  }

  /** Call when the threads serve the first index. */
  markServed(facts: ServedFacts): void {
    this.facts = facts;
    this.#path = this.#newestPath;
  }

  get #newestPath(): string {
    return this.#options.indexPath(this.#path);
  }

  async #reload(): Promise<object> {
    const { pool, allowShrunkenData } = this.#options;
    const path = this.#newestPath;
    const writtenMs = modifiedMs(path);
    const { data, facts } = await readNewData(path, { name: path, allowShrunkenData, served: this.facts });
    await pool.replaceValues({ data });
    this.facts = facts;
    this.#path = path;
    this.modifiedMs = writtenMs;
    return { data: facts.version };
  }
}

function modifiedMs(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}
