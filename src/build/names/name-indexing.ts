/**
 * Builds the name index beside the other work of a build: a thread creates the keys of places while
 * others are read, and sorts them while the records are built. It reads names from the memory of the
 * store. For few places there is no thread, because it would take longer to start than to create their keys.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PlaceStore, SharedNames } from '../place-store.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { NameIndexBuilder, type NameSections } from './name-index.ts';

export type ToNameThread =
  | { readonly names: SharedNames }
  | { readonly ranked: Pick<RankedPlaces, 'rows' | 'importance'> };
export type FromNameThread =
  | { readonly rows: number }
  | { readonly keys: number }
  | { readonly sections: NameSections };

// .ts in a clone, .js in the published package
const THREAD_FILE = new URL(`./name-thread${extname(import.meta.url)}`, import.meta.url);
/** By estimate, creating the keys of 20,000 places takes longer than starting a thread. */
const MIN_PLACES = 20_000;

interface NameProgress {
  /** Called when all places have been read. */
  readonly onRows: (done: number, total: number) => void;
  /** Called once, when all names have been read. */
  readonly onKeys: (keys: number) => void;
}

export class NameIndexing {
  private readonly onProgress: NameProgress;
  private readonly threadFile: URL;
  private readonly result = Promise.withResolvers<NameSections>();
  private thread: Worker | undefined;
  private error: Error | undefined;
  private rowCount = 0;
  private isReading = true;

  constructor(onProgress: NameProgress, threadFile = THREAD_FILE) {
    this.onProgress = onProgress;
    this.threadFile = threadFile;
    this.result.promise.catch(() => {}); // `addRows` may throw the error first
  }

  get hasThread(): boolean {
    return this.thread !== undefined;
  }

  /** Indexes the rows that the store has now. Throws if the thread has failed. */
  addRows(store: PlaceStore): void {
    if (this.error !== undefined) throw this.error;
    this.rowCount = store.length;
    if (this.rowCount < MIN_PLACES) return;
    this.thread ??= this.startThread();
    this.post({ names: store.shareNames() });
  }

  /** Rows that are not ranked are left out. */
  finish({ store, rows, importance }: RankedPlaces): Promise<NameSections> {
    this.isReading = false;
    if (this.thread !== undefined) {
      this.post({ ranked: { rows, importance } });
    } else {
      const { onKeys } = this.onProgress;
      const builder = new NameIndexBuilder({ onRows: (done) => this.onProgress.onRows(done, this.rowCount), onKeys });
      builder.addRows(store, this.rowCount);
      this.result.resolve(builder.build({ rows, importance }));
    }
    return this.result.promise;
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private startThread(): Worker {
    const thread = new Worker(this.threadFile);
    thread.on('message', (message: FromNameThread) => {
      if ('sections' in message) this.result.resolve(message.sections);
      else if ('keys' in message) this.onProgress.onKeys(message.keys);
      else if (!this.isReading) this.onProgress.onRows(message.rows, this.rowCount);
    });
    thread.once('error', (cause) => this.fail((cause as Error).message, cause));
    thread.once('exit', () => this.fail('it ended without a result'));
    return thread;
  }

  private fail(reason: string, cause?: unknown): void {
    this.error ??= new Error(`The thread that indexes names failed: ${reason}`, { cause });
    this.result.reject(this.error);
  }

  private post(message: ToNameThread): void {
    this.thread?.postMessage(message);
  }
}
