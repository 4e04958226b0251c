/** Clock for retry delays, idle timeouts and transfer rates. Tests pass one that does not wait. */
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';

export interface Clock {
  nowMs(): number;
  /** Rejects if `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Data that has arrived while this thread was busy is read first. The returned function cancels the call. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeoutAsync(ms, undefined, signal && { signal }),
  after(ms, run) {
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      immediate = setImmediate(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
};
