/** Retry rules: exponential backoff, with jitter so that machines do not retry all at once. */

/** Consecutive failures that end a download, after delays of 16 to 31 s in all. */
export const MAX_FAILURES = 6;
/** Received bytes that reset the failure count: large files may need many attempts. */
export const PROGRESS_BYTES = 1 << 20;
/** Default of the longest delay that a server may ask for. */
export const MAX_RETRY_AFTER_MS = 300_000;

const FIRST_DELAY_MS = 1000;

/** Exponential delay, at least `retryAfterMs`. `random` (0..1) scales the delay by 0.5 to 1. */
export function retryDelayMs(failures: number, retryAfterMs: number, random: number): number {
  const backoffMs = FIRST_DELAY_MS * 2 ** (failures - 1);
  return Math.max(retryAfterMs, Math.round((backoffMs / 2) * (1 + random)));
}

/** Parses `120` or `Wed, 21 Oct 2026 07:28:00 GMT` as a delay in ms; 0 if missing or malformed. */
export function parseRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const retryAt = Date.parse(header);
  return Number.isNaN(retryAt) ? 0 : Math.max(0, retryAt - now.getTime());
}
