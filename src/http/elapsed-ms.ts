/** Milliseconds since `startedMs` (from `performance.now()`), rounded to the microsecond. */
export function elapsedMs(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 1000) / 1000;
}
