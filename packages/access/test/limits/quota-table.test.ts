import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { createQuotaBuffer, DAY_MS, QuotaTable } from '../../src/limits/quota-table.ts';

const MODULE = new URL('../../src/limits/quota-table.ts', import.meta.url).href;
const NOON = Date.UTC(2030, 0, 1, 12);
const TODAY = Math.floor(NOON / DAY_MS);
const HOUR_MS = 3_600_000;
const MIDNIGHT = NOON - 12 * HOUR_MS;

function aTable(capacity?: number): QuotaTable {
  return new QuotaTable(createQuotaBuffer(capacity));
}

function acceptedOf(table: QuotaTable, calls: number, call: Parameters<QuotaTable['take']>[0]): number {
  let accepted = 0;
  for (let i = 0; i < calls; i++) if (table.take(call).accepted) accepted++;
  return accepted;
}

test('a key has its quota once per UTC day, and the allowance says when the day ends', () => {
  const table = aTable();
  const call = { keyId: 'k1', perDay: 2, nowMs: NOON };
  const resetMs = 12 * 3_600_000;
  assert.deepEqual(table.take(call), { accepted: true, limit: 2, remaining: 1, resetMs, retryAfterMs: 0 });
  assert.deepEqual(table.take(call), { accepted: true, limit: 2, remaining: 0, resetMs, retryAfterMs: 0 });
  assert.deepEqual(table.take(call), { accepted: false, limit: 2, remaining: 0, resetMs, retryAfterMs: resetMs });
  const midnight = NOON + resetMs;
  assert.equal(table.take({ ...call, nowMs: midnight - 1 }).retryAfterMs, 1);
  assert.equal(acceptedOf(table, 5, { ...call, nowMs: midnight }), 2);
});

test('a batch of calls counts as a whole or not at all', () => {
  const table = aTable();
  const take = (calls: number) => {
    const { accepted, remaining } = table.take({ keyId: 'k1', perDay: 10, nowMs: NOON, calls });
    return [accepted, remaining];
  };
  assert.deepEqual(
    [take(7), take(4), take(3), take(1)],
    [
      [true, 3],
      [false, 3],
      [true, 0],
      [false, 0],
    ],
  );
});

test('keys are counted separately, with quotas of any size', () => {
  const table = aTable();
  assert.equal(acceptedOf(table, 10, { keyId: 'k1', perDay: 3, nowMs: NOON }), 3);
  assert.equal(acceptedOf(table, 10, { keyId: 'k2', perDay: 7, nowMs: NOON }), 7);
  table.restore({ keyId: 'k3', day: TODAY, calls: 999_999_995 }, NOON);
  assert.equal(acceptedOf(table, 10, { keyId: 'k3', perDay: 1_000_000_000, nowMs: NOON }), 5);
});

test('many keys over many days are counted as if each were alone', () => {
  const call = fc.record({ key: fc.nat(15), days: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 400, size: 'max' }), (calls) => {
      const table = aTable(16); // as many entries as keys
      const counts = new Map<string, number>();
      let nowMs = NOON;
      for (const { key, days } of calls) {
        nowMs += days * DAY_MS;
        const name = `${key} on ${nowMs}`;
        const counted = counts.get(name) ?? 0;
        const { accepted } = table.take({ keyId: `k${key}`, perDay: 4, nowMs });
        assert.equal(accepted, counted < 4);
        if (accepted) counts.set(name, counted + 1);
      }
    }),
    { numRuns: 100 },
  );
});

test('if the table is full, further keys are refused until the next day, and known keys are not', () => {
  const table = aTable(4);
  for (let i = 0; i < 4; i++) assert.equal(table.take({ keyId: `k${i}`, perDay: 2, nowMs: NOON }).accepted, true);
  assert.deepEqual(table.take({ keyId: 'k4', perDay: 2, nowMs: NOON }), {
    accepted: false,
    limit: 2,
    remaining: 0,
    resetMs: 12 * 3_600_000,
    retryAfterMs: 12 * 3_600_000,
  });
  assert.equal(table.take({ keyId: 'k0', perDay: 2, nowMs: NOON }).accepted, true);
  for (let i = 4; i < 8; i++) {
    assert.equal(table.take({ keyId: `k${i}`, perDay: 2, nowMs: NOON + DAY_MS }).accepted, true);
  }
});

test('50,000 keys a day have room, day after day', () => {
  const table = aTable();
  for (let day = 0; day < 2; day++) {
    const nowMs = NOON + day * DAY_MS;
    for (let i = 0; i < 50_000; i++) {
      assert.equal(table.take({ keyId: `day ${day} key ${i}`, perDay: 1, nowMs }).accepted, true);
    }
    assert.equal(table.take({ keyId: `day ${day} key 0`, perDay: 1, nowMs }).accepted, false);
  }
});

test('a key is refused without a search of the whole table: only the entries after its hash count', () => {
  const capacity = 4096;
  const table = aTable(capacity);
  let keys = 0;
  while (table.take({ keyId: `k${keys}`, perDay: 1, nowMs: NOON }).accepted) keys++;
  assert.ok(keys > capacity / 2 && keys < capacity, `${keys} keys`);
});

/** Steps of a clock: the hours from midnight, the calls made then, and how many of them a quota of 10 accepts. */
// biome-ignore format: a table
const CLOCKS: Readonly<Record<string, readonly (readonly [hours: number, calls: number, accepted: number])[]>> = {
  'it goes on over midnight': [[-1, 12, 10], [0, 12, 10], [23, 1, 0], [24, 12, 10]],
  'it is set back within a day': [[12, 12, 10], [1, 1, 0], [24, 12, 10]],
  'it is set back over midnight': [[1, 12, 10], [-1, 1, 0], [2, 1, 0], [24, 12, 10]],
  'it is set back over midnight with calls left': [[1, 4, 4], [-1, 4, 4], [2, 4, 2]],
  'it was a day ahead': [[36, 12, 10], [12, 1, 0], [25, 1, 0], [48, 12, 10]],
  'it was days ahead': [[120, 6, 6], [12, 6, 4], [13, 1, 0], [24, 12, 10]],
  'it jumps days ahead for a moment': [[12, 12, 10], [120, 12, 10], [12, 1, 0], [24, 12, 10]],
  'it was days ahead and the next call comes days later': [[120, 12, 10], [12, 1, 0], [60, 12, 10], [120, 12, 10]],
  'it starts in 1970': [[12 - MIDNIGHT / HOUR_MS, 12, 10], [12, 12, 10], [24, 12, 10]],
  'it falls back to 1970 and is set right': [[12, 12, 10], [12 - MIDNIGHT / HOUR_MS, 1, 0], [13, 12, 10]],
};

test('a daily quota is reset only on a later day, even if the clock jumps', () => {
  for (const [title, steps] of Object.entries(CLOCKS)) {
    const table = aTable();
    for (const [hours, calls, accepted] of steps) {
      const call = { keyId: 'k1', perDay: 10, nowMs: MIDNIGHT + hours * HOUR_MS };
      assert.equal(acceptedOf(table, calls, call), accepted, `${title}: ${hours} hours from midnight`);
      const { retryAfterMs } = table.take({ ...call, calls: 11 });
      assert.ok(retryAfterMs > 0 && retryAfterMs <= 2 * DAY_MS, `${title}: wait for ${retryAfterMs / HOUR_MS} hours`);
    }
  }
});

test('after the clock was set back, other keys do not take the entries of the later day, unless there are no others', () => {
  for (let other = 0; other < 20; other++) {
    const table = aTable(2);
    const take = (keyId: string, nowMs: number) => table.take({ keyId, perDay: 1, nowMs }).accepted;
    assert.equal(take('k1', NOON + 5 * DAY_MS), true);
    assert.equal(take(`other${other}`, NOON), true);
    assert.equal(take('k1', NOON), false, 'the call is still known');
  }
  const full = aTable(1);
  full.take({ keyId: 'k1', perDay: 1, nowMs: NOON + 5 * DAY_MS });
  assert.equal(full.take({ keyId: 'k2', perDay: 1, nowMs: NOON }).accepted, true);
});

test('a restored count belongs to its day: it neither burdens the next one nor is lost when the clock was set back', () => {
  const table = aTable();
  const midnight = NOON + DAY_MS / 2;
  for (let i = 0; i < 3; i++) table.take({ keyId: 'k1', perDay: 100, nowMs: midnight });
  // Redis has counted the call before midnight, and its reply came later
  table.restore({ keyId: 'k1', day: TODAY, calls: 90 }, midnight - 1);
  assert.deepEqual(table.read('k1'), { keyId: 'k1', day: TODAY + 1, calls: 3 });
  table.restore({ keyId: 'k2', day: TODAY + 30, calls: 9 }, NOON);
  assert.deepEqual(table.read('k2'), { keyId: 'k2', day: TODAY, calls: 9 });
});

test('counts can be read and restored, but never reduced, and not those of earlier days', () => {
  const table = aTable();
  assert.equal(table.read('k1'), undefined);
  const before = table.changes;
  table.restore({ keyId: 'k1', day: TODAY - 1, calls: 9 }, NOON);
  assert.equal(table.read('k1'), undefined);
  assert.equal(table.changes, before);
  table.restore({ keyId: 'k1', day: TODAY, calls: 9 }, NOON);
  table.restore({ keyId: 'k1', day: TODAY, calls: 5 }, NOON);
  assert.equal(table.take({ keyId: 'k1', perDay: 100, nowMs: NOON }).remaining, 90);
  assert.deepEqual(table.read('k1'), { keyId: 'k1', day: TODAY, calls: 10 });
  assert.notEqual(table.changes, before);
});

test('calls in several threads are accepted exactly up to the quota', async () => {
  const buffer = createQuotaBuffer(64);
  const counts = new Int32Array(new SharedArrayBuffer(4));
  const script = `import { workerData } from 'node:worker_threads';
    import { QuotaTable } from ${JSON.stringify(MODULE)};
    const table = new QuotaTable(workerData.buffer);
    for (let i = 0; i < 5000; i++) {
      if (table.take({ keyId: 'shared', perDay: 10_000, nowMs: ${NOON} }).accepted) Atomics.add(workerData.counts, 0, 1);
      table.take({ keyId: 'k' + i % 32, perDay: 10_000, nowMs: ${NOON} });
    }`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  await Promise.all(
    Array.from({ length: 3 }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const worker = new Worker(url, { workerData: { buffer, counts } });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      return promise;
    }),
  );
  assert.equal(counts[0], 10_000);
  assert.equal(new QuotaTable(buffer).read('shared')?.calls, 10_000);
  const others = Array.from({ length: 32 }, (_, i) => new QuotaTable(buffer).read(`k${i}`)?.calls ?? 0);
  assert.equal(
    others.reduce((sum, calls) => sum + calls, 0),
    15_000,
  );
});
