/**
 * Measures how late this thread's event loop runs, with a timer that fires ten times a second. One
 * late interval is a pause (a reload, garbage collection); two in a row mean requests queue up.
 */
export interface EventLoopMonitor {
  /** Whether at least the last two intervals were late. */
  isOverloaded(): boolean;
  /** The longest delay of the last minute. */
  maxDelaySeconds(): number;
}

const INTERVAL_MS = 100;
// 500 ms late: a request that waits longer is better refused with 503 at once and retried elsewhere
const LATE_MS = 500;
// delays are kept for a minute, because metrics are collected at least that often
const PERIODS = 6;
const PERIOD_MS = 10_000;

export function monitorEventLoop(): EventLoopMonitor {
  const maxDelaysMs = new Float64Array(PERIODS); // a ring buffer of the last periods
  let dueMs = performance.now() + INTERVAL_MS;
  let period = periodAt(dueMs);
  let lateIntervals = 0;
  setInterval(() => {
    const nowMs = performance.now();
    const delayMs = Math.max(0, nowMs - dueMs);
    lateIntervals = delayMs > LATE_MS ? lateIntervals + 1 : 0;
    dueMs = nowMs + INTERVAL_MS;
    // clear the entries of new periods: they still have the delays of a minute ago
    while (period < periodAt(nowMs)) maxDelaysMs[++period % PERIODS] = 0;
    maxDelaysMs[period % PERIODS] = Math.max(maxDelaysMs[period % PERIODS] ?? 0, delayMs);
  }, INTERVAL_MS).unref();
  return {
    isOverloaded: () => lateIntervals >= 2,
    maxDelaySeconds: () => Math.max(...maxDelaysMs) / 1000,
  };
}

function periodAt(ms: number): number {
  return Math.floor(ms / PERIOD_MS);
}
