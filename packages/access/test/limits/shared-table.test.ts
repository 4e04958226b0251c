/**
 * No test here depends on timing. A `sleep` that always returns false makes takeovers impossible,
 * however slowly a thread runs, and one that always returns true makes a takeover happen at once.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { acquireLock, type LockSleep, releaseLock } from '../../src/limits/shared-table.ts';

const MODULE = new URL('../../src/limits/shared-table.ts', import.meta.url).href;
const THREADS = 4;
const DEADLINE_MS = 60_000;

const alwaysSlept: LockSleep = () => true;

function aLock(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

test('threads that wait for a free lock enter one at a time', async (t) => {
  assert.deepEqual(await enterTogether(t, aLock(), undefined), { entries: THREADS, maxInside: 1 });
});

test('threads that wait for the lock of a dead owner enter one at a time', async (t) => {
  const locks = aLock();
  const dead = acquireLock(locks, 0);
  assert.deepEqual(await enterTogether(t, locks, dead), { entries: THREADS, maxInside: 1 });
});

test('a lock whose owner died is taken over after the real sleeps', () => {
  const locks = aLock();
  const dead = acquireLock(locks, 0);
  const taken = acquireLock(locks, 0);
  assert.notEqual(taken, dead);
  assert.equal(locks[0], taken);
});

test('a waiter takes over only after 250 sleeps without a change', () => {
  const locks = aLock();
  const first = acquireLock(locks, 0);
  let sleeps = 0;
  acquireLock(locks, 0, () => {
    sleeps++;
    // another waiter takes over just before this one would
    if (sleeps === 249) acquireLock(locks, 0, alwaysSlept);
    return true;
  });
  assert.equal(sleeps, 249 + 250, 'the count restarts when the owner changes');
  assert.equal(locks[0], first + 4, 'two takeovers');
});

test('of two waiters that want to take over a lock, the second waits for the first', () => {
  const locks = aLock();
  acquireLock(locks, 0);
  let sleeps = 0;
  let other = 0;
  const version = acquireLock(locks, 0, () => {
    sleeps++;
    if (sleeps === 250) other = acquireLock(locks, 0, alwaysSlept);
    if (sleeps === 300) releaseLock(locks, 0, other);
    return true;
  });
  assert.equal(sleeps, 300);
  assert.equal(locks[0], version);
});

test('an owner that lost its lock to a takeover does not release it for the new owner', () => {
  const locks = aLock();
  const lost = acquireLock(locks, 0);
  const held = acquireLock(locks, 0, alwaysSlept);
  releaseLock(locks, 0, lost);
  assert.equal(locks[0], held, 'the late release is ignored');
  releaseLock(locks, 0, held);
  assert.equal(locks[0], held + 1);
});

test('a lock still works when its version number wraps', () => {
  const locks = aLock();
  locks[0] = -4;
  for (let i = 0; i < 4; i++) {
    const version = acquireLock(locks, 0);
    assert.equal(locks[0], version);
    releaseLock(locks, 0, version);
  }
  assert.equal(locks[0], 4);
});

/**
 * Several threads enter once each and stay inside for some milliseconds. Only sleeps for the version
 * `dead` count, so that only the lock of that owner can be taken over.
 */
async function enterTogether(t: { after(end: () => void): void }, locks: Int32Array, dead: number | undefined) {
  // cells: threads that have arrived, threads inside, maximum inside, a word that never changes
  const cells = new Int32Array(new SharedArrayBuffer(16));
  const script = `
    import { workerData } from 'node:worker_threads';
    import { acquireLock, releaseLock } from ${JSON.stringify(MODULE)};
    const { locks, cells, dead } = workerData;
    const deadlineMs = performance.now() + ${DEADLINE_MS};
    Atomics.add(cells, 0, 1);
    Atomics.notify(cells, 0);
    for (let arrived; (arrived = Atomics.load(cells, 0)) < ${THREADS}; ) {
      if (performance.now() > deadlineMs) throw new Error('the other threads did not arrive');
      Atomics.wait(cells, 0, arrived, 1000);
    }
    const held = acquireLock(locks, 0, (words, index, version) => {
      if (performance.now() > deadlineMs) throw new Error('the lock was not released');
      Atomics.wait(words, index, version, 1);
      return version === dead;
    });
    const inside = Atomics.add(cells, 1, 1) + 1;
    if (inside > Atomics.load(cells, 2)) Atomics.store(cells, 2, inside);
    Atomics.wait(cells, 3, 0, 5);
    Atomics.sub(cells, 1, 1);
    releaseLock(locks, 0, held);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const threads = Array.from({ length: THREADS }, () => new Worker(url, { workerData: { locks, cells, dead } }));
  for (const thread of threads) t.after(() => void thread.terminate());
  const exits = await Promise.all(threads.map((thread) => once(thread, 'exit')));
  return { entries: exits.filter(([code]) => code === 0).length, maxInside: cells[2] };
}
