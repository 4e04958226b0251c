/**
 * Measures how late this thread's event loop runs, with a timer that fires ten times a second. One
 * late interval is a pause (a reload, garbage collection); two in a row mean requests queue up.
 */
export interface EventLoopMonitor {
  isOverloaded(): boolean;
  /** The longest delay of the last minute. */
  maxDelaySeconds(): number;
}

const INTERVAL_MS = 100;
// 500 ms late: a request that waits longer is better refused with 503 at once and retried elsewhere
const LATE_MS = 500;
// the last minute, because metrics are collected at least that often; old slots drop out one by one
const SLOTS = 6;
const SLOT_MS = 10_000;

export function monitorEventLoop(): EventLoopMonitor {
  const maxDelaysMs = new Float64Array(SLOTS); // a ring buffer
  let dueMs = performance.now() + INTERVAL_MS;
  let slot = slotAt(dueMs);
  let lateIntervals = 0;
  setInterval(() => {
    const nowMs = performance.now();
    const delayMs = Math.max(0, nowMs - dueMs);
    lateIntervals = delayMs > LATE_MS ? lateIntervals + 1 : 0;
    dueMs = nowMs + INTERVAL_MS;
    // clear the slots that have begun since the last interval
    while (slot < slotAt(nowMs)) maxDelaysMs[++slot % SLOTS] = 0;
    maxDelaysMs[slot % SLOTS] = Math.max(maxDelaysMs[slot % SLOTS] ?? 0, delayMs);
  }, INTERVAL_MS).unref();
  return {
    isOverloaded: () => lateIntervals >= 2,
    maxDelaySeconds: () => Math.max(...maxDelaysMs) / 1000,
  };
}

function slotAt(ms: number): number {
  return Math.floor(ms / SLOT_MS);
}
