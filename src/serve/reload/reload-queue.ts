/** Runs reloads one at a time. All requests that arrive during a reload share the next one. */
import { setTimeout as pause } from 'node:timers/promises';

export interface ReloadQueue {
  /** Resolves after a reload that began after this call. Rejects only if `reload` does. */
  request(): Promise<void>;
}

/** `pauseMs` follows each reload, so that the replaced data are freed. */
export function createReloadQueue(reload: () => Promise<void>, pauseMs: number): ReloadQueue {
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
  return {
    request() {
      if (next !== undefined) return next;
      if (running === undefined) return run();
      next = running.then(() => {
        next = undefined;
        return run();
      });
      return next;
    },
  };
}
