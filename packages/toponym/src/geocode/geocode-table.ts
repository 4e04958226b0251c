/**
 * Geocodes the rows of a table with threads that share one index. Batches come back in order, and only a few are in
 * memory, however long the table is.
 */

import { SEARCH_LIMITS, Thread, threadFile } from 'toponym-files/thread';
import type { Line } from 'toponym-gazetteer/sources/input/lines';
import type { createGeocoder, GeocodedRows, GeocodeTask } from './geocode-rows.ts';

/** What every thread gets. */
export interface ThreadData {
  readonly index: SharedArrayBuffer;
  readonly task: GeocodeTask;
}

const BATCH_ROWS = 200;
/** Batches that a thread works on, has finished or waits with. With fewer, threads wait for each other. */
const BATCHES_PER_THREAD = 4;
const THREAD_FILE = threadFile('./geocode-thread', import.meta.url);

/** Leaves out the first `skippedRows`. */
export async function* geocodeTable(
  rows: AsyncIterable<readonly Line[]>,
  data: ThreadData,
  { threads, skippedRows }: { readonly threads: number; readonly skippedRows: number },
): AsyncGenerator<GeocodedRows> {
  const started: Thread<ReturnType<typeof createGeocoder>>[] = [];
  const pending: Promise<GeocodedRows>[] = [];
  try {
    let count = 0;
    for await (const batch of batchRows(rows, skippedRows)) {
      const at = count++ % threads;
      started[at] ??= new Thread(THREAD_FILE, { workerData: data, limits: SEARCH_LIMITS });
      pending.push(started[at].run(batch));
      if (pending.length >= threads * BATCHES_PER_THREAD) yield await pending.shift()!;
    }
    for (const result of pending) yield await result;
  } finally {
    await Promise.all(started.map((thread) => thread.terminate()));
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
