/**
 * When to try again: twice as long after each failure, with jitter so that many machines do not come back at once.
 */

/** Failures in a row after which a download is given up: with the waits below, after about half a minute. */
export const MAX_FAILURES = 6;
/** So many new bytes make a try that was cut off a success: large files come through bad lines in many pieces. */
export const PROGRESS_BYTES = 1 << 20;
/** A server that asks for a longer pause is not waited for. */
export const MAX_RETRY_AFTER_MS = 300_000;

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** `failures` counts from 1; `random` is from 0 to 1. Never less than the server asked for. */
export function retryDelayMs(failures: number, retryAfterMs: number, random: number): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return Math.max(retryAfterMs, Math.round((full / 2) * (1 + random)));
}

/** `120` or `Wed, 21 Oct 2026 07:28:00 GMT`; 0 where the header is missing or neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
