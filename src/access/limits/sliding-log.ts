/**
 * One client's allowance: the times of its last accepted calls, in a ring buffer. A call is
 * accepted if there were fewer than `limit` accepted calls in the 60 seconds before it, so no 60
 * seconds ever contain more than `limit`. Holds no timers and reads no clock; the caller passes
 * `nowMs`. The ring buffer is part of a Float64Array, which may be shared memory; callers that
 * share it must lock it.
 *
 * Cells: next slot to write, number of slots in use, then the slots. Times in a ring buffer never
 * decrease.
 */
import { lowerBound } from '../../collections/lower-bound.ts';

export const WINDOW_MS = 60_000;

const NEXT = 0;
const USED = 1;
const SLOTS = 2;

export interface Ring {
  readonly cells: Float64Array;
  /** Index of the first cell. */
  readonly start: number;
  /** Must be at least the limit. */
  readonly slots: number;
}

export interface Allowance {
  readonly accepted: boolean;
  /** Calls in any 60 seconds. */
  readonly limit: number;
  /** Calls that would be accepted right now. */
  readonly remaining: number;
  /** Time until the oldest counted call leaves the window; 0 if none is counted. */
  readonly resetMs: number;
  /** Time until a call will be accepted; 0 if this one was. */
  readonly retryAfterMs: number;
}

export function ringCells(slots: number): number {
  return SLOTS + slots;
}

export function clearRing(ring: Ring): void {
  ring.cells[ring.start + NEXT] = 0;
  ring.cells[ring.start + USED] = 0;
}

/** Both ring buffers must have the same number of slots. */
export function copyRing(from: Ring, to: Ring): void {
  to.cells.set(from.cells.subarray(from.start, from.start + ringCells(from.slots)), to.start);
}

export function takeCall(ring: Ring, limit: number, nowMs: number): Allowance {
  // threads read the clock before they get the lock, so `nowMs` may be before the newest time
  const time = Math.max(nowMs, newestTime(ring));
  const counted = countSince(ring, time - WINDOW_MS);
  if (counted >= limit) {
    const retryAfterMs = nthNewestTime(ring, limit - 1) + WINDOW_MS - time;
    return { accepted: false, limit, remaining: 0, resetMs: retryAfterMs, retryAfterMs };
  }
  append(ring, time);
  const resetMs = nthNewestTime(ring, counted) + WINDOW_MS - time;
  return { accepted: true, limit, remaining: limit - counted - 1, resetMs, retryAfterMs: 0 };
}

/** Time of the last accepted call; -Infinity if there is none. */
export function newestTime(ring: Ring): number {
  return cell(ring, USED) === 0 ? Number.NEGATIVE_INFINITY : nthNewestTime(ring, 0);
}

/** Time of the accepted call `n` places before the newest one; 0 is the newest. */
function nthNewestTime(ring: Ring, n: number): number {
  const slot = (cell(ring, NEXT) - 1 - n + 2 * ring.slots) % ring.slots;
  return cell(ring, SLOTS + slot);
}

/** Number of calls after `time`, by binary search. */
function countSince(ring: Ring, time: number): number {
  return lowerBound(cell(ring, USED), (n) => nthNewestTime(ring, n) > time);
}

function append(ring: Ring, time: number): void {
  const next = cell(ring, NEXT);
  ring.cells[ring.start + SLOTS + next] = time;
  ring.cells[ring.start + NEXT] = (next + 1) % ring.slots;
  ring.cells[ring.start + USED] = Math.min(cell(ring, USED) + 1, ring.slots);
}

function cell(ring: Ring, index: number): number {
  return ring.cells[ring.start + index] ?? 0;
}
