/**
 * Sliding logs by client, in a table of fixed size over shared memory: a flood of addresses cannot make it grow.
 * A client's id picks a bucket of 16 entries. A new client takes, in this order: an empty entry; the entry idle for
 * longest among those with no call in the window, which loses nothing; as the last resort the least recently seen
 * entry, whose client then starts again with a whole allowance. So a flood makes limits more generous, never
 * stricter, and it takes more than half the table's capacity in live clients before it does.
 */
import { acquireLock, releaseLock } from './bucket-lock.ts';
import { type Allowance, clearRing, newestTime, type Ring, ringCells, takeCall, WINDOW_MS } from './sliding-log.ts';

const WAYS = 16;
const ID_WORDS = 4;

export interface TableShape {
  /** Calls a log can hold. */
  readonly slots: number;
  readonly buckets: number;
}

/** The largest table of such logs within so many bytes, of one bucket at least. */
export function shapeWithin(slots: number, bytes: number): TableShape {
  return { slots, buckets: Math.max(1, Math.floor(bytes / tableBytes({ slots, buckets: 1 }))) };
}

export function tableBytes(shape: TableShape): number {
  return integerBytes(shape) + shape.buckets * WAYS * entryCells(shape.slots) * Float64Array.BYTES_PER_ELEMENT;
}

/** A view of the table at `byteOffset`, a multiple of 8. Zeroed memory is an empty table. */
export class LogTable {
  readonly #shape: TableShape;
  readonly #locks: Int32Array;
  readonly #ids: Int32Array;
  /** Per entry: when it was last seen, then its ring. */
  readonly #cells: Float64Array;

  constructor(buffer: SharedArrayBuffer, byteOffset: number, shape: TableShape) {
    const entries = shape.buckets * WAYS;
    this.#shape = shape;
    this.#locks = new Int32Array(buffer, byteOffset, shape.buckets);
    this.#ids = new Int32Array(buffer, byteOffset + shape.buckets * 4, entries * ID_WORDS);
    const cellOffset = byteOffset + integerBytes(shape);
    this.#cells = new Float64Array(buffer, cellOffset, entries * entryCells(shape.slots));
  }

  /** `id` is 128 bits of a hash, never all zero: zero marks an empty entry. */
  take(id: Int32Array, limit: number, nowMs: number): Allowance {
    const bucket = ((id[0] ?? 0) >>> 0) % this.#shape.buckets;
    const version = acquireLock(this.#locks, bucket);
    try {
      const entry = this.#find(bucket, id) ?? this.#claim(bucket, id, nowMs);
      this.#cells[entry * entryCells(this.#shape.slots)] = nowMs;
      return takeCall(this.#ring(entry), limit, nowMs);
    } finally {
      releaseLock(this.#locks, bucket, version);
    }
  }

  #find(bucket: number, id: Int32Array): number | undefined {
    for (let entry = bucket * WAYS; entry < (bucket + 1) * WAYS; entry++) {
      if (this.#hasId(entry, id)) return entry;
    }
    return undefined;
  }

  #claim(bucket: number, id: Int32Array, nowMs: number): number {
    const entry = this.#victim(bucket, nowMs);
    this.#ids.set(id, entry * ID_WORDS);
    clearRing(this.#ring(entry));
    return entry;
  }

  #victim(bucket: number, nowMs: number): number {
    let victim = bucket * WAYS;
    let isVictimIdle = false;
    for (let entry = bucket * WAYS; entry < (bucket + 1) * WAYS; entry++) {
      if (this.#hasId(entry, EMPTY)) return entry;
      const isIdle = newestTime(this.#ring(entry)) <= nowMs - WINDOW_MS;
      if (isIdle === isVictimIdle ? this.#lastSeen(entry) < this.#lastSeen(victim) : isIdle) {
        victim = entry;
        isVictimIdle = isIdle;
      }
    }
    return victim;
  }

  #hasId(entry: number, id: Int32Array): boolean {
    const at = entry * ID_WORDS;
    const ids = this.#ids;
    return ids[at] === id[0] && ids[at + 1] === id[1] && ids[at + 2] === id[2] && ids[at + 3] === id[3];
  }

  #lastSeen(entry: number): number {
    return this.#cells[entry * entryCells(this.#shape.slots)] ?? 0;
  }

  #ring(entry: number): Ring {
    const { slots } = this.#shape;
    return { cells: this.#cells, start: entry * entryCells(slots) + 1, slots };
  }
}

const EMPTY = new Int32Array(ID_WORDS);

function entryCells(slots: number): number {
  return 1 + ringCells(slots);
}

/** Locks and ids, padded so that the times after them are aligned. */
function integerBytes(shape: TableShape): number {
  const words = shape.buckets * (1 + WAYS * ID_WORDS);
  return Math.ceil(words / 2) * 8;
}
