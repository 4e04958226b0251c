/**
 * Runs reloads one at a time. A reload that is requested while another runs is run once after it, however often it was
 * requested, so that a burst of signals costs two reloads and no request is lost.
 */
export interface ReloadQueue {
  /** Resolves after a reload that began after this call. Rejects only if `reload` does. */
  request(): Promise<void>;
}

/** `pauseMs` passes between two reloads, in which the memory of replaced data is freed. */
export function createReloadQueue(reload: () => Promise<void>, pauseMs: number): ReloadQueue {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    const result = reload();
    running = result
      .catch(() => {})
      .then(() => pause(pauseMs))
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

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}
