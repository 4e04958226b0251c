/**
 * How late this thread's event loop runs, by a timer that should fire ten times a second. One late turn is a pause (a
 * reload, garbage collection) and passes by itself; two in a row mean that requests are queueing: overload.
 */
export interface LoopWatch {
  isOverloaded(): boolean;
  /** The longest delay of the last minute. */
  maxDelaySeconds(): number;
}

const TURN_MS = 100;
// 500 ms late: a request that waits longer than this is better answered 503 at once and tried elsewhere
const LATE_MS = 500;
// a minute, in slots of ten seconds: longer than most intervals at which metrics are collected
const SLOTS = 6;
const SLOT_MS = 10_000;

export function watchLoop(): LoopWatch {
  const maxDelaysMs = new Float64Array(SLOTS);
  let dueMs = performance.now() + TURN_MS;
  let slot = slotAt(dueMs);
  let lateTurns = 0;
  setInterval(() => {
    const nowMs = performance.now();
    const delayMs = Math.max(0, nowMs - dueMs);
    lateTurns = delayMs > LATE_MS ? lateTurns + 1 : 0;
    dueMs = nowMs + TURN_MS;
    for (; slot < slotAt(nowMs); slot++) maxDelaysMs[(slot + 1) % SLOTS] = 0;
    maxDelaysMs[slot % SLOTS] = Math.max(maxDelaysMs[slot % SLOTS] ?? 0, delayMs);
  }, TURN_MS).unref();
  return {
    isOverloaded: () => lateTurns >= 2,
    maxDelaySeconds: () => Math.max(...maxDelaysMs) / 1000,
  };
}

function slotAt(ms: number): number {
  return Math.floor(ms / SLOT_MS);
}
