import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { MAX_PER_MINUTE } from '../../src/keys/key-record.ts';
import { createRateBuffer, RateLimiter } from '../../src/limits/rate-limiter.ts';
import { type Allowance, WINDOW_MS } from '../../src/limits/sliding-log.ts';

/** Logs of single clients in a bucket. */
const LOGS_PER_BUCKET = 16;
const MODULE = new URL('../../src/limits/rate-limiter.ts', import.meta.url).href;

function aLimiter(defaultPerMinute = 60): RateLimiter {
  return new RateLimiter(createRateBuffer({ defaultPerMinute, defaultLogBytes: 1 << 20, keyLogBytes: 1 << 20 }));
}

function acceptedOf(limiter: RateLimiter, calls: number, call: Parameters<RateLimiter['take']>[0]): number {
  let accepted = 0;
  for (let i = 0; i < calls; i++) if (limiter.take(call).accepted) accepted++;
  return accepted;
}

/** Tables of one bucket each. */
const ONE_BUCKET = { defaultLogBytes: 1, keyLogBytes: 1 };
/** After the header of the buffer is the first table, which begins with the lock of its first bucket. */
const FIRST_LOCK = 8;

/** A table of one bucket, which all clients share. */
function aBucket(): (client: number, limit: number, nowMs: number) => Allowance {
  const limiter = new RateLimiter(createRateBuffer(ONE_BUCKET));
  return (client, perMinute, nowMs) =>
    limiter.take({ group: String(client), ownLimit: { keyId: 'k', perMinute }, nowMs });
}

test('a limiter tells beforehand which calls it would refuse, also those that share the overflow log', () => {
  const limiter = new RateLimiter(createRateBuffer({ defaultPerMinute: 3, ...ONE_BUCKET }));
  const clients = 2 * LOGS_PER_BUCKET;
  let refusals = 0;
  for (let i = 0; i < 20 * clients; i++) {
    const call = { group: `client ${i % clients}`, nowMs: i * 300 };
    const expected = limiter.refusalOf(call);
    const taken = limiter.take(call);
    assert.deepEqual(expected, taken.accepted ? undefined : taken);
    if (!taken.accepted) refusals++;
  }
  assert.ok(refusals > 0);
});

/** Asserts that no 60 seconds contain more than `limit` of these times. */
function assertWithin(timesMs: readonly number[], limit: number): void {
  for (const [i, timeMs] of timesMs.entries()) {
    const later = timesMs[i + limit];
    assert.ok(later === undefined || later - timeMs >= WINDOW_MS, `more than ${limit} after ${timeMs} ms`);
  }
}

test('each client has its own 60 calls', () => {
  const limiter = aLimiter();
  assert.equal(acceptedOf(limiter, 70, { group: '192.0.2.1', nowMs: 1000 }), 60);
  assert.equal(acceptedOf(limiter, 70, { group: '192.0.2.2', nowMs: 1000 }), 60);
  assert.equal(acceptedOf(limiter, 70, { group: '192.0.2.1', nowMs: 1000 + WINDOW_MS }), 60);
});

test('the default limit can be set, up to the highest limit of a key', () => {
  for (const limit of [1, 64, 65, 1000, MAX_PER_MINUTE]) {
    assert.equal(acceptedOf(aLimiter(limit), limit + 5, { group: 'a', nowMs: 0 }), limit);
  }
});

test("a key's own limit replaces the default, counts per key and address, and does not use up the default", () => {
  const limiter = aLimiter();
  const ownLimit = { keyId: 'k1', perMinute: 300 };
  assert.equal(acceptedOf(limiter, 400, { group: 'a', ownLimit, nowMs: 0 }), 300);
  assert.equal(acceptedOf(limiter, 400, { group: 'b', ownLimit, nowMs: 0 }), 300);
  assert.equal(acceptedOf(limiter, 400, { group: 'a', ownLimit: { keyId: 'k2', perMinute: 5 }, nowMs: 0 }), 5);
  assert.equal(acceptedOf(limiter, 70, { group: 'a', nowMs: 0 }), 60);
});

/** Reference implementation: whether each client, counted alone, may make a call. */
function aNaiveLimiter(): (client: string, limit: number, nowMs: number) => boolean {
  const logs = new Map<string, number[]>();
  return (client, limit, nowMs) => {
    const log = (logs.get(client) ?? []).filter((time) => time > nowMs - WINDOW_MS);
    const isAccepted = log.length < limit;
    logs.set(client, isAccepted ? [...log, nowMs] : log);
    return isAccepted;
  };
}

test('many clients in random order are limited as if each were alone', () => {
  const call = fc.record({
    client: fc.nat(20),
    keyed: fc.boolean(),
    gap: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constantFrom(0, WINDOW_MS)),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 500, size: 'max' }), (calls) => {
      const limiter = aLimiter(4);
      const naive = aNaiveLimiter();
      let nowMs = 0;
      for (const { client, keyed, gap } of calls) {
        nowMs += gap;
        const ownLimit = keyed ? { keyId: 'k', perMinute: 7 } : undefined;
        const expected = naive(`${client}/${keyed}`, keyed ? 7 : 4, nowMs);
        assert.equal(limiter.take({ group: String(client), ownLimit, nowMs }).accepted, expected);
      }
    }),
    { numRuns: 50 },
  );
});

test('many other addresses never unblock one that has used up its limit', () => {
  // with the default sizes, and with tables far too small for the other addresses
  for (const [settings, others, ownLimit] of [
    [{}, 25_000, undefined],
    [{}, 1500, { keyId: 'k', perMinute: 600 }],
    [{ keyLogBytes: 1 << 20 }, 1500, { keyId: 'k', perMinute: 600 }],
  ] as const) {
    const limiter = new RateLimiter(createRateBuffer(settings));
    const limit = ownLimit?.perMinute ?? 60;
    const acceptedAtMs: number[] = [];
    for (let nowMs = 0; nowMs < 3 * WINDOW_MS; nowMs += 10_000) {
      const accepted = acceptedOf(limiter, limit + 100, { group: 'blocked', ownLimit, nowMs });
      acceptedAtMs.push(...Array<number>(accepted).fill(nowMs));
      for (let i = 0; i < others; i++) limiter.take({ group: `other${nowMs + i}`, ownLimit, nowMs: nowMs + i / 10 });
    }
    assert.equal(acceptedAtMs.length, 3 * limit);
    assertWithin(acceptedAtMs, limit);
  }
});

test('a flood of addresses needs no more memory, and addresses without their own log share one limit', () => {
  const buffer = createRateBuffer({ defaultLogBytes: 1 << 16, keyLogBytes: 1 << 16 });
  const limiter = new RateLimiter(buffer);
  const size = buffer.byteLength;
  const buckets = 7; // of 16 logs and the overflow log, of 66 cells of 8 bytes each
  let accepted = 0;
  for (let i = 0; i < 20_000; i++) if (limiter.take({ group: `flood${i}`, nowMs: i / 1000 }).accepted) accepted++;
  assert.equal(buffer.byteLength, size);
  assert.equal(accepted, buckets * (LOGS_PER_BUCKET + 60));
});

test('a new address takes a log without a call in the window, or else shares the overflow log', () => {
  const take = aBucket();
  const limit = 2;
  for (let client = 1; client <= LOGS_PER_BUCKET; client++) take(client, limit, client === 9 ? 0 : 30_000 + client);

  // client 9 has no call left in the window, so client 17 takes its log; client 1 keeps its own
  const laterMs = 2 * WINDOW_MS - 25_000;
  assert.equal(take(1, limit, laterMs - 10_000).remaining, 0);
  assert.equal(take(17, limit, laterMs - 10_000).remaining, 1);
  // every log is in use: clients 18, 19 and 20 share the overflow log
  for (let client = 1; client <= LOGS_PER_BUCKET; client++) if (client !== 9) take(client, limit, laterMs - 9000);
  assert.equal(take(18, limit, laterMs - 8000).remaining, 1);
  assert.equal(take(19, limit, laterMs - 7000).remaining, 0);
  assert.equal(take(20, limit, laterMs - 6000).accepted, false);
  assert.equal(take(17, limit, laterMs - 5000).remaining, 0);
});

test('an address that leaves the overflow log does not start with a full allowance', () => {
  const take = aBucket();
  const limit = 5;
  for (let client = 1; client <= LOGS_PER_BUCKET; client++) take(client, limit, 0);
  for (let i = 0; i < limit; i++) assert.ok(take(17, limit, 30_000).accepted);
  assert.equal(take(17, limit, 30_000).accepted, false);
  // the others are idle, so client 17 gets its own log, which contains its five calls
  assert.equal(take(17, limit, 80_000).accepted, false);
  assert.equal(take(17, limit, 30_000 + WINDOW_MS).remaining, limit - 1);
});

test('no address exceeds its limit, however many share a bucket', () => {
  const call = fc.record({
    client: fc.nat(40),
    gap: fc.oneof({ weight: 50, arbitrary: fc.integer({ min: 0, max: 300 }) }, fc.constantFrom(10_000, WINDOW_MS)),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 800, size: 'max' }), (calls) => {
      const take = aBucket();
      const limit = 4;
      const acceptedAtMs = new Map<number, number[]>();
      let nowMs = 0;
      for (const { client, gap } of calls) {
        nowMs += gap;
        const times = acceptedAtMs.get(client) ?? [];
        acceptedAtMs.set(client, times);
        if (take(client + 1, limit, nowMs).accepted) times.push(nowMs);
      }
      for (const times of acceptedAtMs.values()) assertWithin(times, limit);
    }),
    { numRuns: 60 },
  );
});

test('as long as a bucket has a log for every active address, each is limited as if it were alone', () => {
  const call = fc.record({
    client: fc.nat(LOGS_PER_BUCKET - 1),
    gap: fc.oneof(fc.integer({ min: 0, max: 800 }), fc.constantFrom(0, WINDOW_MS - 1, WINDOW_MS)),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 500, size: 'max' }), (calls) => {
      const take = aBucket();
      const limit = 3;
      const naive = aNaiveLimiter();
      let nowMs = 0;
      let generation = 0;
      for (const { client, gap } of calls) {
        nowMs += gap;
        // after a pause longer than the window, other addresses reuse the logs
        const isPause = nowMs % 7 === 0;
        if (isPause) {
          nowMs += 2 * WINDOW_MS;
          generation++;
        }
        const id = 1 + client + generation * LOGS_PER_BUCKET;
        assert.equal(take(id, limit, nowMs).accepted, naive(String(id), limit, nowMs));
      }
    }),
    { numRuns: 60 },
  );
});

test('the lock of a killed thread is taken over', () => {
  const buffer = createRateBuffer({ defaultPerMinute: 1, ...ONE_BUCKET });
  new Int32Array(buffer)[FIRST_LOCK] = 1;
  assert.equal(acceptedOf(new RateLimiter(buffer), 2, { group: 'a', nowMs: 0 }), 1);
  assert.equal(new Int32Array(buffer)[FIRST_LOCK], 6, 'taken over and released, and used again');
});

test('calls of the same clients in several threads are accepted exactly up to the limit', async () => {
  const buffer = createRateBuffer({ defaultLogBytes: 1 << 20, keyLogBytes: 1 << 20 });
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const threads = [0, 1].map(() => hammer(buffer, gate));
  await Promise.all(threads.map((thread) => thread.ready));
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  const [first, second] = await Promise.all(threads.map((thread) => thread.accepted));
  assert.ok(first && second);

  // three windows, a minute apart: exactly three times 60 calls per client
  for (const [client, count] of first.entries()) {
    assert.equal(count + (second[client] ?? 0), 180, `client ${client} got ${count} + ${second[client]}`);
  }
});

interface Hammer {
  readonly ready: Promise<void>;
  readonly accepted: Promise<number[]>;
}

/**
 * Starts a thread that waits at the gate, makes calls for three clients in three windows, and
 * reports the accepted calls.
 */
function hammer(buffer: SharedArrayBuffer, gate: Int32Array): Hammer {
  const script = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { RateLimiter } from ${JSON.stringify(MODULE)};
    const limiter = new RateLimiter(workerData.buffer);
    const accepted = [0, 0, 0];
    parentPort.postMessage('ready');
    const deadlineMs = performance.now() + 60000;
    Atomics.wait(workerData.gate, 0, 0, 60000);
    for (let window = 0; window < 3; window++) {
      for (let i = 0; i < 20000; i++) {
        const client = i % 3;
        if (limiter.take({ group: 'client' + client, nowMs: window * 60000 }).accepted) accepted[client]++;
      }
      // both threads finish a window before either starts the next
      const arrived = Atomics.add(workerData.gate, 0, 1) + 1;
      const wanted = 1 + 2 * (window + 1);
      if (arrived === wanted) Atomics.notify(workerData.gate, 0);
      while (Atomics.load(workerData.gate, 0) < wanted) {
        if (performance.now() > deadlineMs) throw new Error('the other thread did not finish its window');
        Atomics.wait(workerData.gate, 0, wanted - 1, 10);
      }
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
