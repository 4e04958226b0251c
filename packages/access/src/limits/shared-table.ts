/**
 * What the tables in shared memory have in common: entries that are found by a hash, and a lock in one
 * word of the memory, held for microseconds.
 *
 * The word is a version number: even while the lock is free, odd while it is held. A killed thread
 * never releases its lock, so waiters take over a lock whose version is unchanged for about 250 ms.
 * The takeover changes the version, so that a slow owner cannot release its successor's lock.
 */
import { hash } from 'node:crypto';

/** Words of the hash that identifies an entry. */
export const ID_WORDS = 4;
/** The id of an empty entry: 0, as in zeroed memory. */
export const NO_ID = new Int32Array(ID_WORDS);

/** Attempts to get the lock before the first sleep. */
const SPINS = 1000;
const SLEEP_MS = 1;
const SLEEPS_BEFORE_TAKEOVER = 250;

/** Sleeps for a moment if the word is still `version`. Returns whether it slept. */
export type LockSleep = (locks: Int32Array, index: number, version: number) => boolean;

/** The first 128 bits of a hash, so that texts practically never collide. */
export function hashWords(text: string): Int32Array {
  const hex = hash('sha1', text, 'hex'); // parsing hex is four times as fast as creating a Buffer
  const words = new Int32Array(ID_WORDS);
  for (let i = 0; i < ID_WORDS; i++) words[i] = Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16);
  return words;
}

/** Whether the id that starts at `words[at]` is `id`. */
export function hasId(words: Int32Array, at: number, id: Int32Array): boolean {
  return words[at] === id[0] && words[at + 1] === id[1] && words[at + 2] === id[2] && words[at + 3] === id[3];
}

/** Picks one of `count` places for an id. */
export function placeOf(id: Int32Array, count: number): number {
  return ((id[0] ?? 0) >>> 0) % count;
}

/** Runs `action` while this thread has the lock in `locks[index]`. */
export function locked<T>(locks: Int32Array, index: number, action: () => T): T {
  const version = acquireLock(locks, index);
  try {
    return action();
  } finally {
    releaseLock(locks, index, version);
  }
}

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
