/**
 * A log of the times of accepted calls, in a ring buffer. A call is accepted if fewer than `limit`
 * calls were accepted in the 60 seconds before it. Threads that share a log must lock it.
 *
 * The cells of a log are: next slot to write, number of slots in use, then the slots. The times in
 * the slots never decrease.
 */
import { lowerBound } from 'toponym-engine/collections/sorting';

export const WINDOW_MS = 60_000;

const NEXT = 0;
const USED = 1;
const FIRST_SLOT = 2;

export interface SlidingLog {
  readonly cells: Float64Array;
  /** Index of the log's first cell. */
  readonly start: number;
  /** Number of slots; must be at least the limit. */
  readonly slots: number;
}

export interface Allowance {
  readonly accepted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Time until `remaining` rises, because a call leaves the window; of a refusal, `retryAfterMs`. */
  readonly resetMs: number;
  /** Time until a call will be accepted; 0 if this one was. */
  readonly retryAfterMs: number;
}

export function logCells(slots: number): number {
  return FIRST_SLOT + slots;
}

export function clearLog(log: SlidingLog): void {
  log.cells[log.start + NEXT] = 0;
  log.cells[log.start + USED] = 0;
}

/** Both logs must have the same number of slots. */
export function copyLog(from: SlidingLog, to: SlidingLog): void {
  to.cells.set(from.cells.subarray(from.start, from.start + logCells(from.slots)), to.start);
}

/** Limit and time of a call, or of the `calls` of a batch, which are accepted or refused together. */
export interface LoggedCall {
  readonly limit: number;
  readonly nowMs: number;
  /** At most the limit; 1 by default. */
  readonly calls?: number | undefined;
}

/** Counts a call if the limit allows it. */
export function takeCall(log: SlidingLog, call: LoggedCall): Allowance {
  const refusal = refusalOf(log, call);
  if (refusal !== undefined) return refusal;
  const { limit, nowMs, calls = 1 } = call;
  const time = timeOfCall(log, nowMs);
  const counted = countAfter(log, time - WINDOW_MS) + calls;
  for (let i = 0; i < calls; i++) append(log, time);
  const resetMs = nthNewestTime(log, counted - 1) + WINDOW_MS - time;
  return { accepted: true, limit, remaining: limit - counted, resetMs, retryAfterMs: 0 };
}

/** The refusal that `takeCall` would return; undefined if it would accept the call. */
export function refusalOf(log: SlidingLog, { limit, nowMs, calls = 1 }: LoggedCall): Allowance | undefined {
  const time = timeOfCall(log, nowMs);
  const counted = countAfter(log, time - WINDOW_MS);
  if (counted + calls <= limit) return undefined;
  // a call is accepted again when the `limit`-th newest call leaves the window
  const retryAfterMs = nthNewestTime(log, limit - calls) + WINDOW_MS - time;
  return { accepted: false, limit, remaining: Math.max(0, limit - counted), resetMs: retryAfterMs, retryAfterMs };
}

/** Threads read the clock before they get the lock, so `nowMs` may be before the newest time. */
function timeOfCall(log: SlidingLog, nowMs: number): number {
  return Math.max(nowMs, newestTime(log));
}

/** Time of the last accepted call; -Infinity if there is none. */
export function newestTime(log: SlidingLog): number {
  return cell(log, USED) === 0 ? Number.NEGATIVE_INFINITY : nthNewestTime(log, 0);
}

/** `n` is 0 for the newest call. */
function nthNewestTime(log: SlidingLog, n: number): number {
  const slot = (cell(log, NEXT) - 1 - n + log.slots) % log.slots;
  return cell(log, FIRST_SLOT + slot);
}

function countAfter(log: SlidingLog, time: number): number {
  return lowerBound(cell(log, USED), (n) => nthNewestTime(log, n) > time);
}

function append(log: SlidingLog, time: number): void {
  const next = cell(log, NEXT);
  log.cells[log.start + FIRST_SLOT + next] = time;
  log.cells[log.start + NEXT] = (next + 1) % log.slots;
  log.cells[log.start + USED] = Math.min(cell(log, USED) + 1, log.slots);
}

function cell(log: SlidingLog, index: number): number {
  return log.cells[log.start + index] ?? 0;
}
