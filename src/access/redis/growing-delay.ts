/**
 * A delay that doubles with each failure, up to a maximum. A random part keeps many machines from
 * trying at the same moment.
 */
export function growingDelayMs(failures: number, { minMs, maxMs }: { minMs: number; maxMs: number }): number {
  const limitMs = Math.min(maxMs, minMs * 2 ** failures);
  return limitMs * (0.5 + Math.random() / 2);
}
