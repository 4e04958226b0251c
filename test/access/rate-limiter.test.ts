import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { LogTable, shapeWithin, tableBytes } from '../../src/access/log-table.ts';
import { createRateBuffer, openRateLimiter, type RateLimiter } from '../../src/access/rate-limiter.ts';
import { WINDOW_MS } from '../../src/access/sliding-log.ts';

const MODULE = new URL('../../src/access/rate-limiter.ts', import.meta.url).href;

function aLimiter(defaultPerMinute = 60): RateLimiter {
  return openRateLimiter(createRateBuffer({ defaultPerMinute, defaultLogBytes: 1 << 20, keyLogBytes: 1 << 20 }));
}

function acceptedOf(limiter: RateLimiter, calls: number, call: Parameters<RateLimiter['take']>[0]): number {
  let accepted = 0;
  for (let i = 0; i < calls; i++) if (limiter.take(call).accepted) accepted++;
  return accepted;
}

test('each client has its own 60 calls', () => {
  const limiter = aLimiter();
  assert.equal(acceptedOf(limiter, 70, { group: '192.0.2.1', nowMs: 1000 }), 60);
  assert.equal(acceptedOf(limiter, 70, { group: '192.0.2.2', nowMs: 1000 }), 60);
  assert.equal(acceptedOf(limiter, 70, { group: '192.0.2.1', nowMs: 1000 + WINDOW_MS }), 60);
});

test('the default limit is a setting, up to the largest log', () => {
  for (const limit of [1, 64, 65, 1000, 16_384]) {
    assert.equal(acceptedOf(aLimiter(limit), limit + 5, { group: 'a', nowMs: 0 }), limit);
  }
  for (const limit of [0, -1, 1.5, Number.NaN, 16_385]) {
    assert.throws(() => createRateBuffer({ defaultPerMinute: limit }), RangeError);
  }
});

test("a key's own figure replaces the default, is counted per key and address, and leaves the default count alone", () => {
  const limiter = aLimiter();
  const own = { keyId: 'k1', perMinute: 300 };
  assert.equal(acceptedOf(limiter, 400, { group: 'a', own, nowMs: 0 }), 300);
  assert.equal(acceptedOf(limiter, 400, { group: 'b', own, nowMs: 0 }), 300);
  assert.equal(acceptedOf(limiter, 400, { group: 'a', own: { keyId: 'k2', perMinute: 5 }, nowMs: 0 }), 5);
  assert.equal(acceptedOf(limiter, 70, { group: 'a', nowMs: 0 }), 60);
});

test('many clients in random order are limited as each would be alone', () => {
  const call = fc.record({
    client: fc.nat(20),
    keyed: fc.boolean(),
    gap: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constantFrom(0, WINDOW_MS)),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 500, size: 'max' }), (calls) => {
      const limiter = aLimiter(4);
      const logs = new Map<string, number[]>();
      let nowMs = 0;
      for (const { client, keyed, gap } of calls) {
        nowMs += gap;
        const own = keyed ? { keyId: 'k', perMinute: 7 } : undefined;
        const id = `${client}/${keyed}`;
        const log = (logs.get(id) ?? []).filter((time) => time > nowMs - WINDOW_MS);
        const expected = log.length < (keyed ? 7 : 4);
        assert.equal(limiter.take({ group: String(client), own, nowMs }).accepted, expected);
        logs.set(id, expected ? [...log, nowMs] : log);
      }
    }),
    { numRuns: 50 },
  );
});

test('a flood of addresses needs no more memory and never makes a limit stricter', () => {
  const buffer = createRateBuffer({ defaultLogBytes: 1 << 16, keyLogBytes: 1 << 16 });
  const limiter = openRateLimiter(buffer);
  const size = buffer.byteLength;
  for (let i = 0; i < 20_000; i++) assert.ok(limiter.take({ group: `flood${i}`, nowMs: i / 100 }).accepted);
  assert.equal(buffer.byteLength, size);
});

test('a new client takes the place of an idle one before that of a live one, least recently seen first', () => {
  const shape = shapeWithin(64, 0);
  const table = new LogTable(new SharedArrayBuffer(tableBytes(shape)), 0, shape);
  const take = (client: number, nowMs: number) => table.take(new Int32Array([client, 1, 1, 1]), 2, nowMs);
  for (let client = 1; client <= 16; client++) take(client, client === 9 ? 0 : 30_000 + client);

  // 9 is idle by now, so 17 takes its place and 1 is still remembered.
  take(17, WINDOW_MS + 1);
  assert.equal(take(1, WINDOW_MS + 2).remaining, 0);
  // All are live now; 2 was seen longest ago, so it is forgotten and starts afresh. 3 is not.
  take(18, WINDOW_MS + 3);
  assert.equal(take(3, WINDOW_MS + 4).remaining, 0);
  assert.equal(take(2, WINDOW_MS + 5).remaining, 1);
});

test('a lock left behind by a thread that was killed is taken over', () => {
  const shape = shapeWithin(64, 0);
  const buffer = new SharedArrayBuffer(tableBytes(shape));
  const table = new LogTable(buffer, 0, shape);
  new Int32Array(buffer)[0] = 1;
  assert.ok(table.take(new Int32Array([1, 2, 3, 4]), 1, 0).accepted);
  assert.equal(table.take(new Int32Array([1, 2, 3, 4]), 1, 0).accepted, false);
});

test('threads that hammer the same clients together are never let through more often than the limit', async () => {
  const buffer = createRateBuffer({ defaultLogBytes: 1 << 20, keyLogBytes: 1 << 20 });
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const threads = [0, 1].map(() => hammer(buffer, gate));
  await Promise.all(threads.map((thread) => thread.ready));
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  const [first, second] = await Promise.all(threads.map((thread) => thread.accepted));
  assert.ok(first && second);

  // Three windows, a minute apart: exactly three times 60 calls fit, for each client.
  for (const [client, count] of first.entries()) {
    assert.equal(count + (second[client] ?? 0), 180, `client ${client} got ${count} + ${second[client]}`);
  }
});

interface Hammer {
  readonly ready: Promise<void>;
  readonly accepted: Promise<number[]>;
}

/** A thread that waits at the gate, then calls for three clients at one time per window, and reports what it got. */
function hammer(buffer: SharedArrayBuffer, gate: Int32Array): Hammer {
  const script = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { openRateLimiter } from ${JSON.stringify(MODULE)};
    const limiter = openRateLimiter(workerData.buffer);
    const accepted = [0, 0, 0];
    parentPort.postMessage('ready');
    Atomics.wait(workerData.gate, 0, 0);
    for (let window = 0; window < 3; window++) {
      for (let i = 0; i < 20000; i++) {
        const client = i % 3;
        if (limiter.take({ group: 'client' + client, nowMs: window * 60000 }).accepted) accepted[client]++;
      }
      // Both threads finish a window before either begins the next.
      const arrived = Atomics.add(workerData.gate, 0, 1) + 1;
      const wanted = 1 + 2 * (window + 1);
      if (arrived === wanted) Atomics.notify(workerData.gate, 0);
      while (Atomics.load(workerData.gate, 0) < wanted) Atomics.wait(workerData.gate, 0, wanted - 1, 10);
    }
    parentPort.postMessage(accepted);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
    workerData: { buffer, gate },
  });
  const message = <T>() =>
    new Promise<T>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  const ready = message<void>();
  return { ready, accepted: ready.then(() => message<number[]>()) };
}
