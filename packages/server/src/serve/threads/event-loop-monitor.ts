/** Watches this thread's event loop: how late it runs, and when it is idle. */

const INTERVAL_MS = 100;
/** Share of the time (0..1) that an idle thread may be busy. */
const MAX_IDLE_UTILIZATION = 0.1;
const IDLE_MS = 1000;
const PERIODS = 6;
const PERIOD_MS = 10_000;

/** Returns a function for the longest delay of the last minute, which a timer measures. */
export function monitorEventLoop(): () => number {
  const maxDelaysMs = new Float64Array(PERIODS); // a ring buffer
  let dueMs = performance.now() + INTERVAL_MS;
  let period = periodAt(dueMs);
  setInterval(() => {
    const nowMs = performance.now();
    const delayMs = Math.max(0, nowMs - dueMs);
    dueMs = nowMs + INTERVAL_MS;
    // the entries of new periods still have the delays of a minute ago
    while (period < periodAt(nowMs)) maxDelaysMs[++period % PERIODS] = 0;
    maxDelaysMs[period % PERIODS] = Math.max(maxDelaysMs[period % PERIODS] ?? 0, delayMs);
  }, INTERVAL_MS).unref();
  return () => Math.max(...maxDelaysMs) / 1000;
}

/** Calls `run` after the first second in which this thread had little to do. */
export function runWhenIdle(run: () => void): void {
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    if (utilization > MAX_IDLE_UTILIZATION) return;
    clearInterval(timer);
    run();
  }, IDLE_MS).unref();
}

function periodAt(ms: number): number {
  return Math.floor(ms / PERIOD_MS);
}
