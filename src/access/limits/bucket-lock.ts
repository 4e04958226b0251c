/**
 * A lock in one word of shared memory, held for microseconds.
 *
 * The word is a version number: even while the lock is free, odd while it is held. A killed thread
 * never releases its lock, so waiters take over a lock whose version is unchanged for about 250 ms.
 * The takeover changes the version, so that a slow owner cannot release its successor's lock.
 */

/** Attempts to get the lock before the first sleep. */
const SPINS = 1000;
const SLEEP_MS = 1;
const SLEEPS_BEFORE_TAKEOVER = 250;

/** Sleeps for a moment if the word is still `version`. Returns whether it slept. */
export type LockSleep = (locks: Int32Array, index: number, version: number) => boolean;

/** Blocks until it has the lock. Returns the version for `releaseLock`. */
export function acquireLock(locks: Int32Array, index: number, sleep: LockSleep = sleepOnce): number {
  let seen = Atomics.load(locks, index);
  let sleeps = 0; // since the version became `seen`
  for (let spin = 0; ; spin++) {
    const isFree = (seen & 1) === 0;
    if (isFree || sleeps === SLEEPS_BEFORE_TAKEOVER) {
      const version = (seen + (isFree ? 1 : 2)) | 0; // the next odd number, as an Int32
      if (Atomics.compareExchange(locks, index, seen, version) === seen) return version;
    } else if (spin >= SPINS && sleep(locks, index, seen)) {
      // sleeps are counted because a clock would also count time while the process is stopped
      sleeps++;
    }
    const current = Atomics.load(locks, index);
    if (current !== seen) sleeps = 0;
    seen = current;
  }
}

/** Does nothing if another thread has taken over the lock. */
export function releaseLock(locks: Int32Array, index: number, version: number): void {
  Atomics.compareExchange(locks, index, version, (version + 1) | 0);
}

/** Nothing notifies waiters, so `Atomics.wait` ends only by its timeout. */
function sleepOnce(locks: Int32Array, index: number, version: number): boolean {
  return Atomics.wait(locks, index, version, SLEEP_MS) === 'timed-out';
}
