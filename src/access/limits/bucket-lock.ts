/**
 * A lock in one word of shared memory, held for microseconds.
 *
 * The word is a version number: even while the lock is free, odd while it is held, and different for every owner.
 * A thread killed while it holds the lock would block it for good, so a lock whose version has not changed for about
 * 250 ms is taken over. Taking over changes the version, so only one of several waiting threads succeeds, and an owner
 * that was only slow cannot release the lock of its successor.
 */
const SPINS = 1000;
const TAKEOVER_WAITS = 250;
const WAIT_MS = 1;

/** Returns the version that `releaseLock` needs. */
export function acquireLock(locks: Int32Array, index: number): number {
  let seen = Atomics.load(locks, index);
  let waits = 0;
  for (let spin = 0; ; spin++) {
    const isFree = (seen & 1) === 0;
    if (isFree || waits === TAKEOVER_WAITS) {
      const version = (seen + (isFree ? 1 : 2)) | 0;
      if (Atomics.compareExchange(locks, index, seen, version) === seen) return version;
    } else if (spin >= SPINS && Atomics.wait(locks, index, seen, WAIT_MS) === 'timed-out') {
      // counts waits instead of reading a clock: time in which the whole process was stopped does not count
      waits++;
    }
    const now = Atomics.load(locks, index);
    if (now !== seen) waits = 0;
    seen = now;
  }
}

/** Does nothing if the lock was taken over in the meantime. */
export function releaseLock(locks: Int32Array, index: number, version: number): void {
  Atomics.compareExchange(locks, index, version, (version + 1) | 0);
}
