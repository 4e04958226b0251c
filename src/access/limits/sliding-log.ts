/**
 * One client's allowance: the times of its last accepted calls, in a ring. A call is accepted when fewer than
 * `limit` accepted calls lie in the 60 seconds before it, so no 60 seconds ever hold more than `limit`.
 * Holds no timers and reads no clock; the caller passes `nowMs`. The ring is a stretch of a Float64Array,
 * which may be shared memory; whoever shares it brings the lock.
 *
 * Cells: next slot to write, number of slots in use, then the slots. Times in a ring never decrease.
 */
import { lowerBound } from '../../collections/lower-bound.ts';

export const WINDOW_MS = 60_000;

const NEXT = 0;
const USED = 1;
const SLOTS = 2;

export interface Ring {
  readonly cells: Float64Array;
  /** Index of the ring's first cell. */
  readonly start: number;
  /** At least as many as the limit it is used with. */
  readonly slots: number;
}

export interface Allowance {
  readonly accepted: boolean;
  /** Calls in any 60 seconds. */
  readonly limit: number;
  /** Calls that would be accepted right now. */
  readonly remaining: number;
  /** Until the oldest counted call leaves the window and gives one call back; 0 when none is counted. */
  readonly resetMs: number;
  /** 0 when accepted; else until a call will be accepted. */
  readonly retryAfterMs: number;
}

export function ringCells(slots: number): number {
  return SLOTS + slots;
}

export function clearRing(ring: Ring): void {
  ring.cells[ring.start + NEXT] = 0;
  ring.cells[ring.start + USED] = 0;
}

/** Makes `to` a copy of `from`, which has as many slots. */
export function copyRing(from: Ring, to: Ring): void {
  to.cells.set(from.cells.subarray(from.start, from.start + ringCells(from.slots)), to.start);
}

export function takeCall(ring: Ring, limit: number, nowMs: number): Allowance {
  // Threads read the clock before they get the lock, so one may come microseconds late.
  const time = Math.max(nowMs, newestTime(ring));
  const live = countSince(ring, time - WINDOW_MS);
  if (live >= limit) {
    const retryAfterMs = timeAgo(ring, limit - 1) + WINDOW_MS - time;
    return { accepted: false, limit, remaining: 0, resetMs: retryAfterMs, retryAfterMs };
  }
  append(ring, time);
  const resetMs = timeAgo(ring, live) + WINDOW_MS - time;
  return { accepted: true, limit, remaining: limit - live - 1, resetMs, retryAfterMs: 0 };
}

/** When the last accepted call was; -Infinity when there is none. */
export function newestTime(ring: Ring): number {
  return cell(ring, USED) === 0 ? Number.NEGATIVE_INFINITY : timeAgo(ring, 0);
}

/** Time of the accepted call `n` before the newest one. */
function timeAgo(ring: Ring, n: number): number {
  const slot = (cell(ring, NEXT) - 1 - n + 2 * ring.slots) % ring.slots;
  return cell(ring, SLOTS + slot);
}

/** How many calls came after `time`: a binary search, as times only fall when going back. */
function countSince(ring: Ring, time: number): number {
  return lowerBound(cell(ring, USED), (n) => timeAgo(ring, n) > time);
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
