/**
 * A table of daily quotas: the calls made with each key today, in shared memory of a fixed size.
 *
 * Entries are found by linear probing from the hash of the key's id. They are never emptied. A key
 * without an entry takes an empty one, or one of an earlier day. All threads share one lock.
 *
 * Only a later day starts a new quota. After the clock was set back, calls still count on the later day if that is
 * tomorrow, because a thread reads the clock before it gets the lock. Otherwise the calls become those of the day that
 * the clock shows, so that a clock that was wrong by days neither gives calls away nor refuses them for days.
 */
import { hashWords, hasId, ID_WORDS, locked, NO_ID, placeOf } from './shared-table.ts';
import type { Allowance } from './sliding-log.ts';

export const DAY_MS = 86_400_000;

/** Takes 1.5 MiB. */
const DEFAULT_CAPACITY = 65_536;
/** Entries are this close to the place of their hash, so that a full table costs little time. */
const MAX_PROBES = 1024;

const LOCK = 0;
/** Counts the changes of the table. */
const CHANGES = 1;
const HEADER_WORDS = 2;

/** An entry is the hash of a key's id, a day and the calls of that day. */
const DAY = ID_WORDS;
const CALLS = ID_WORDS + 1;
const ENTRY_WORDS = ID_WORDS + 2;

export interface QuotaCall {
  readonly keyId: string;
  readonly perDay: number;
  /** Wall clock, because days end at midnight UTC. */
  readonly nowMs: number;
  /** Of a batch: calls that are counted together or not at all; 1 by default. */
  readonly calls?: number | undefined;
  /** Whether the call has waited for Redis in vain, and must not wait again. */
  readonly gaveUpOnRedis?: boolean;
}

/** Calls made with a key on a day. */
export interface DayCount {
  readonly keyId: string;
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly calls: number;
}

export function createQuotaBuffer(capacity: number = DEFAULT_CAPACITY): SharedArrayBuffer {
  return new SharedArrayBuffer((HEADER_WORDS + capacity * ENTRY_WORDS) * Int32Array.BYTES_PER_ELEMENT);
}

/** View of a buffer from `createQuotaBuffer`. */
export class QuotaTable {
  readonly #words: Int32Array;
  readonly #capacity: number;

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#capacity = (this.#words.length - HEADER_WORDS) / ENTRY_WORDS;
  }

  /** A number that differs after every counted call. */
  get changes(): number {
    return Atomics.load(this.#words, CHANGES);
  }

  /** Counts a call if the quota allows it. Refuses it if there is no room for the key. */
  take({ keyId, perDay, nowMs, calls: added = 1 }: QuotaCall): Allowance {
    return locked(this.#words, LOCK, () => {
      const entry = this.#openEntry(keyId, dayOf(nowMs));
      if (entry === undefined) return dayAllowance(false, { perDay, calls: perDay, day: dayOf(nowMs), nowMs });
      const accepted = this.#word(entry + CALLS) + added <= perDay;
      if (accepted) this.#setCalls(entry, this.#word(entry + CALLS) + added);
      const calls = this.#word(entry + CALLS);
      return dayAllowance(accepted, { perDay, calls, day: this.#word(entry + DAY), nowMs });
    });
  }

  /** Returns undefined if the key has no entry. */
  read(keyId: string): DayCount | undefined {
    return locked(this.#words, LOCK, () => {
      const id = hashWords(keyId);
      const entry = this.#find(id, 0);
      if (entry === undefined || !hasId(this.#words, entry, id)) return undefined;
      return { keyId, day: this.#word(entry + DAY), calls: this.#word(entry + CALLS) };
    });
  }

  /** Restores a count. Does nothing if its day is over, by the clock or because calls of the next day have been counted. */
  restore({ keyId, day: givenDay, calls }: DayCount, nowMs: number): void {
    const today = dayOf(nowMs);
    if (givenDay < today) return;
    const day = isRunning(givenDay, today) ? givenDay : today;
    locked(this.#words, LOCK, () => {
      const entry = this.#openEntry(keyId, day);
      if (entry === undefined || this.#word(entry + DAY) !== day) return;
      this.#setCalls(entry, Math.max(calls, this.#word(entry + CALLS)));
    });
  }

  /** The key's entry, which counts `today`. Returns undefined if there is no room. */
  #openEntry(keyId: string, today: number): number | undefined {
    const id = hashWords(keyId);
    const entry = this.#find(id, today);
    if (entry === undefined) return undefined;
    const isKnown = hasId(this.#words, entry, id);
    if (isKnown && isRunning(this.#word(entry + DAY), today)) return entry;
    if (!isKnown || this.#word(entry + DAY) < today) this.#words[entry + CALLS] = 0;
    this.#words[entry + DAY] = today;
    this.#words.set(id, entry);
    return entry;
  }

  /** The entry with this id, else the first one of an earlier day, else an empty one, else one of a day far ahead. */
  #find(id: Int32Array, today: number): number | undefined {
    const first = placeOf(id, this.#capacity);
    let reusable: number | undefined;
    let farAhead: number | undefined;
    for (let i = 0; i < Math.min(this.#capacity, MAX_PROBES); i++) {
      const entry = HEADER_WORDS + ((first + i) % this.#capacity) * ENTRY_WORDS;
      if (hasId(this.#words, entry, id)) return entry;
      if (hasId(this.#words, entry, NO_ID)) return reusable ?? entry;
      if (this.#word(entry + DAY) < today) reusable ??= entry;
      else if (!isRunning(this.#word(entry + DAY), today)) farAhead ??= entry;
    }
    return reusable ?? farAhead;
  }

  #setCalls(entry: number, calls: number): void {
    this.#words[entry + CALLS] = calls;
    Atomics.add(this.#words, CHANGES, 1);
  }

  #word(index: number): number {
    return this.#words[index] ?? 0;
  }
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Whether calls made `today` are counted on `day`, which may be tomorrow. */
function isRunning(day: number, today: number): boolean {
  return day === today || day === today + 1;
}

function dayAllowance(
  accepted: boolean,
  { perDay, calls, day, nowMs }: Omit<DayCount & QuotaCall, 'keyId'>,
): Allowance {
  const resetMs = (day + 1) * DAY_MS - nowMs;
  const remaining = Math.max(0, perDay - calls);
  return { accepted, limit: perDay, remaining, resetMs, retryAfterMs: accepted ? 0 : resetMs };
}
