/**
 * Collects garbage, and returns the free memory of the thread's heap to the system. V8 does so late: a busy
 * thread keeps some 400 MB after it has read two million places, an idle one may keep a replaced index for
 * hours. Without V8 nothing happens.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void;

let collectGarbage: CollectGarbage | undefined;

/** `last-resort` returns more memory, and takes longer. */
export function releaseHeap(flavor: 'regular' | 'last-resort' = 'regular'): void {
  try {
    collectGarbage ??= findCollector();
    collectGarbage({ type: 'major', execution: 'sync', flavor });
  } catch {
    // another engine than V8
  }
}

function findCollector(): CollectGarbage {
  setFlagsFromString('--expose-gc'); // for the whole process, so it stays: other threads may be about to use it
  return runInNewContext('gc') as CollectGarbage; // only contexts created from now on have it
}

/** By then, no request uses the old index. */
const SETTLE_MS = 1000;

/** After a reload: replaced data is freed once all threads have collected garbage, and an idle one may not do so for hours. */
export function releaseHeapSoon(): void {
  setTimeout(() => releaseHeap(), SETTLE_MS).unref();
}
