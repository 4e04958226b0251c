/** Clock for retry delays, idle timeouts and transfer rates. Tests pass one that does not wait. */
export interface Clock {
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  /** The returned function cancels the call. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
