/**
 * Reloads run one at a time, and each is followed by a garbage collection in every thread: the replaced
 * data is freed once all threads have collected, and an idle thread might not do so for hours.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { releaseHeap } from '../../release-heap.ts';

/** By then, no request uses the old index. */
const SETTLE_MS = 1000;
/** Pause between two reloads, in which the old index is freed. */
export const PAUSE_AFTER_RELOAD_MS = 1500;

/**
 * Returns a function that requests a reload. It resolves after one that began after the call, and rejects
 * only if `reload` does. All requests that arrive during a reload or the pause after it share the next one.
 */
export function createReloadQueue(reload: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let running: Promise<void> | undefined; // includes the pause after the reload
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    const result = reload();
    running = result
      .catch(() => {})
      .then(() => pause(pauseMs, undefined, { ref: false }))
      .then(() => {
        running = undefined;
      });
    return result;
  };
  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return run();
    next = running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
}

export function collectGarbageSoon(): void {
  setTimeout(() => releaseHeap(), SETTLE_MS).unref();
}
