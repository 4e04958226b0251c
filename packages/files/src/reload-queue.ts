/** Work that is requested more often than it can be done, such as reading a file that changes. */
import { setTimeout as pause } from 'node:timers/promises';

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
