/**
 * Time as downloads use it: to wait between tries and to notice a silent server. Tests pass one that does not wait.
 */
export interface Clock {
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  /** Calls `run` once, later, unless the function it returns is called before. */
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
