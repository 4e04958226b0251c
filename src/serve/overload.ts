/**
 * Whether this thread has more to do than it can: its event loop keeps running late. One late turn is a pause (a reload,
 * garbage collection) and passes by itself; two in a row mean that requests are queueing.
 */
const TURN_MS = 100;
// 500 ms late: a request that waits longer than this is better answered 503 at once and tried elsewhere
const LATE_MS = 500;

export function watchOverload(): () => boolean {
  let dueMs = performance.now() + TURN_MS;
  let lateTurns = 0;
  setInterval(() => {
    const nowMs = performance.now();
    lateTurns = nowMs - dueMs > LATE_MS ? lateTurns + 1 : 0;
    dueMs = nowMs + TURN_MS;
  }, TURN_MS).unref();
  return () => lateTurns >= 2;
}
