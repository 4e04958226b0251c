import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { acquireLock, releaseLock } from '../../../src/access/limits/bucket-lock.ts';

const MODULE = new URL('../../../src/access/limits/bucket-lock.ts', import.meta.url).href;
const THREADS = 4;

test('of the threads that wait for a lock whose owner died, one at a time enters', async (t) => {
  const locks = new Int32Array(new SharedArrayBuffer(4));
  acquireLock(locks, 0);
  assert.deepEqual(await enterTogether(t, locks), { entries: THREADS, mostInside: 1 });
});

test('threads that wait for a free lock enter one at a time', async (t) => {
  const locks = new Int32Array(new SharedArrayBuffer(4));
  assert.deepEqual(await enterTogether(t, locks), { entries: THREADS, mostInside: 1 });
});

test('an owner that lost its lock to a take-over does not release the new owner', () => {
  const locks = new Int32Array(new SharedArrayBuffer(4));
  const lost = acquireLock(locks, 0);
  const held = acquireLock(locks, 0); // returns once the lock is taken over
  const taken = locks[0];
  releaseLock(locks, 0, lost);
  assert.equal(locks[0], taken, 'the late release is ignored');
  releaseLock(locks, 0, held);
  assert.notEqual(locks[0], taken);
});

test('a lock keeps working when its version number wraps', () => {
  const locks = new Int32Array(new SharedArrayBuffer(4));
  locks[0] = -4;
  for (let i = 0; i < 4; i++) {
    const version = acquireLock(locks, 0);
    assert.equal(locks[0], version);
    releaseLock(locks, 0, version);
  }
  assert.equal(locks[0], 4);
});

/** Each of some threads enters once and stays inside for some milliseconds. */
async function enterTogether(t: { after(end: () => void): void }, locks: Int32Array) {
  // cells: threads that have arrived, threads inside, the largest number inside
  const cells = new Int32Array(new SharedArrayBuffer(12));
  const script = `
    import { workerData } from 'node:worker_threads';
    import { acquireLock, releaseLock } from ${JSON.stringify(MODULE)};
    const { locks, cells } = workerData;
    Atomics.add(cells, 0, 1);
    Atomics.notify(cells, 0);
    for (let arrived; (arrived = Atomics.load(cells, 0)) < ${THREADS}; ) Atomics.wait(cells, 0, arrived, 1000);
    const held = acquireLock(locks, 0);
    const inside = Atomics.add(cells, 1, 1) + 1;
    if (inside > Atomics.load(cells, 2)) Atomics.store(cells, 2, inside);
    const untilMs = performance.now() + 20;
    while (performance.now() < untilMs);
    Atomics.sub(cells, 1, 1);
    releaseLock(locks, 0, held);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const threads = Array.from({ length: THREADS }, () => new Worker(url, { workerData: { locks, cells } }));
  for (const thread of threads) t.after(() => void thread.terminate());
  const exits = await Promise.all(threads.map((thread) => once(thread, 'exit')));
  return { entries: exits.filter(([code]) => code === 0).length, mostInside: cells[2] };
}
