/**
 * Geocodes the rows of a table with threads that share one index. Batches come back in order, and only a few are in
 * memory, however long the table is.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS, threadEnvironment } from '../files/thread-environment.ts';
import type { Line } from '../sources/input/lines.ts';
import type { GeocodedRows, GeocodeTask } from './geocode-rows.ts';

/** What every thread gets. */
export interface ThreadData {
  readonly index: SharedArrayBuffer;
  readonly task: GeocodeTask;
}

const BATCH_ROWS = 200;
/** Batches that a thread works on, has finished or waits with. With fewer, threads wait for each other. */
const BATCHES_PER_THREAD = 4;
// .ts in a clone, .js in the published package
const THREAD_FILE = new URL(`./geocode-thread${extname(import.meta.url)}`, import.meta.url);

/** Leaves out the first `skippedRows`. */
export async function* geocodeTable(
  rows: AsyncIterable<readonly Line[]>,
  data: ThreadData,
  { threads, skippedRows }: { readonly threads: number; readonly skippedRows: number },
): AsyncGenerator<GeocodedRows> {
  const started: GeocodeThread[] = [];
  const pending: Promise<GeocodedRows>[] = [];
  try {
    let count = 0;
    for await (const batch of batchRows(rows, skippedRows)) {
      const at = count++ % threads;
      started[at] ??= new GeocodeThread(data);
      pending.push(started[at].geocode(batch));
      if (pending.length >= threads * BATCHES_PER_THREAD) yield await pending.shift()!;
    }
    for (const result of pending) yield await result;
  } finally {
    await Promise.all(started.map(({ worker }) => worker.terminate()));
  }
}

async function* batchRows(chunks: AsyncIterable<readonly Line[]>, skippedRows: number): AsyncGenerator<Line[]> {
  let skipped = 0;
  for await (const chunk of chunks) {
    const start = Math.min(skippedRows - skipped, chunk.length);
    skipped += start;
    for (let at = start; at < chunk.length; at += BATCH_ROWS) yield chunk.slice(at, at + BATCH_ROWS);
  }
}

class GeocodeThread {
  readonly worker: Worker;
  /** The batches that the thread has, oldest first: it answers in order. */
  readonly #waiting: PromiseWithResolvers<GeocodedRows>[] = [];

  constructor(workerData: ThreadData) {
    this.worker = new Worker(THREAD_FILE, { workerData, env: threadEnvironment(), resourceLimits: THREAD_LIMITS });
    this.worker.on('message', (rows: GeocodedRows) => this.#waiting.shift()?.resolve(rows));
    const fail = (error: unknown) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    this.worker.on('error', fail);
    this.worker.on('exit', () => fail(new Error('a thread ended without a result')));
  }

  geocode(batch: readonly Line[]): Promise<GeocodedRows> {
    const waiting = Promise.withResolvers<GeocodedRows>();
    waiting.promise.catch(() => {}); // it may fail before anyone waits for it
    this.#waiting.push(waiting);
    this.worker.postMessage(batch);
    return waiting.promise;
  }
}
