import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Allowance,
  type LoggedCall,
  logCells,
  type SlidingLog,
  takeCall,
  WINDOW_MS,
} from '../../src/limits/sliding-log.ts';

function aLog(slots: number): SlidingLog {
  return { cells: new Float64Array(logCells(slots) + 7), start: 7, slots };
}

/** Reference implementation: counts all accepted calls. */
function naiveTake(accepted: number[], { limit, nowMs, calls = 1 }: LoggedCall): Omit<Allowance, 'limit'> {
  const live = accepted.filter((time) => time > nowMs - WINDOW_MS);
  const isAccepted = live.length + calls <= limit;
  const added = Array.from({ length: isAccepted ? calls : 0 }, () => nowMs);
  accepted.push(...added);
  live.push(...added);
  const oldest = live[isAccepted ? 0 : live.length + calls - limit - 1] ?? nowMs;
  const resetMs = oldest + WINDOW_MS - nowMs;
  return {
    accepted: isAccepted,
    remaining: Math.max(0, limit - live.length),
    resetMs,
    retryAfterMs: isAccepted ? 0 : resetMs,
  };
}

/** Gaps between calls: short, long, and exactly at the edge of the window. */
const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3000 }) },
  { weight: 1, arbitrary: fc.constantFrom(WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 2000, noNaN: true }) },
);

test('on any schedule the log gives the same result as counting all accepted calls', () => {
  const batches = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat({ max: 63 }) });
  const steps = fc.array(fc.tuple(gaps, batches), { maxLength: 600, size: 'max' });
  const schedule = fc.tuple(fc.integer({ min: 1, max: 64 }), steps);
  fc.assert(
    fc.property(schedule, ([limit, steps]) => {
      const log = aLog(64);
      const accepted: number[] = [];
      let nowMs = 1e9;
      for (const [gap, batch] of steps) {
        nowMs += gap;
        const call = { limit, nowMs, calls: Math.min(limit, batch + 1) };
        assert.deepEqual(takeCall(log, call), { limit, ...naiveTake(accepted, call) });
      }
    }),
    { numRuns: 60 },
  );
});

test('a burst across a minute boundary is not accepted twice, as it would be with fixed windows', () => {
  const log = aLog(64);
  let accepted = 0;
  for (let i = 0; i < 60; i++) if (takeCall(log, { limit: 60, nowMs: 59_000 + i }).accepted) accepted++;
  for (let i = 0; i < 60; i++) if (takeCall(log, { limit: 60, nowMs: 60_000 + i }).accepted) accepted++;
  assert.equal(accepted, 60);
});

test('a client is accepted after retryAfterMs, and refused a millisecond earlier', () => {
  const log = aLog(64);
  for (let i = 0; i < 3; i++) takeCall(log, { limit: 3, nowMs: i * 1000 });
  const refused = takeCall(log, { limit: 3, nowMs: 5000 });
  assert.deepEqual(refused, { accepted: false, limit: 3, remaining: 0, resetMs: 55_000, retryAfterMs: 55_000 });
  assert.equal(takeCall(log, { limit: 3, nowMs: 59_999 }).accepted, false);
  assert.equal(takeCall(log, { limit: 3, nowMs: 60_000 }).accepted, true);
});

test('a call with a slightly older time from another thread counts at the newest time', () => {
  const log = aLog(64);
  takeCall(log, { limit: 2, nowMs: 1000.5 });
  assert.deepEqual(takeCall(log, { limit: 2, nowMs: 1000 }), {
    accepted: true,
    limit: 2,
    remaining: 0,
    resetMs: 60_000,
    retryAfterMs: 0,
  });
  assert.equal(takeCall(log, { limit: 2, nowMs: 61_000 }).accepted, false);
});
