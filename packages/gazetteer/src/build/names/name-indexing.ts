/**
 * Builds the name index beside the other work of a build: a thread creates the keys of places while
 * others are read, and sorts them while the records are built. It reads names from the memory of the
 * store. For few places there is no thread, because it would take longer to start than to create their keys.
 */
import { Thread, threadFile } from 'toponym-files/thread';
import type { PlaceStore } from '../place-store.ts';
import type { RankedPlaces } from '../rank-places.ts';
import { NameIndexBuilder, type NameSections } from './name-index.ts';
import type { indexNames } from './name-thread.ts';

const THREAD_FILE = threadFile('./name-thread', import.meta.url);
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
  private thread: Thread<typeof indexNames> | undefined;
  private rowCount = 0;
  private isReading = true;

  constructor(onProgress: NameProgress, threadFile = THREAD_FILE) {
    this.onProgress = onProgress;
    this.threadFile = threadFile;
  }

  get hasThread(): boolean {
    return this.thread !== undefined;
  }

  /** Indexes the rows that the store has now. Throws if the thread has failed. */
  addRows(store: PlaceStore): void {
    if (this.thread?.failure !== undefined) throw threadError(this.thread.failure);
    this.rowCount = store.length;
    if (this.rowCount < MIN_PLACES) return;
    this.thread ??= this.startThread();
    void this.thread.run({ names: store.shareNames() });
  }

  /** Rows that are not ranked are left out. */
  async finish({ store, rows, importance }: RankedPlaces): Promise<NameSections> {
    this.isReading = false;
    const { onRows, onKeys } = this.onProgress;
    if (this.thread !== undefined) {
      try {
        return (await this.thread.run({ ranked: { rows, importance } })) as NameSections;
      } catch (cause) {
        throw threadError(cause);
      }
    }
    const builder = new NameIndexBuilder({ onRows: (done) => onRows(done, this.rowCount), onKeys });
    builder.addRows(store, this.rowCount);
    return builder.build({ rows, importance });
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private startThread(): Thread<typeof indexNames> {
    return new Thread(this.threadFile, {
      onProgress: (progress) => {
        if ('keys' in progress) this.onProgress.onKeys(progress.keys);
        else if (!this.isReading) this.onProgress.onRows(progress.rows, this.rowCount);
      },
    });
  }
}

function threadError(cause: unknown): Error {
  return new Error(`The thread that indexes names failed: ${(cause as Error).message}`, { cause });
}
