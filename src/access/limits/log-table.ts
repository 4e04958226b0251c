/**
 * Sliding logs by client, in a fixed-size table in shared memory, so that a flood of addresses
 * cannot make it grow.
 *
 * A client's id picks a bucket. A new client takes the first log of the bucket that is empty or has
 * no call in the window, so the log's previous owner loses nothing. A log with a call in the window
 * is never reassigned, so other clients cannot reset one that has used up its limit. If every log
 * of the bucket is in use, new clients share the bucket's overflow log, with the same limit: a
 * flood slows new clients down, but raises nobody's limit.
 *
 * A client that later gets its own log starts with a copy of the overflow log, which contains all
 * its calls, so it cannot use its limit twice.
 */
import { acquireLock, releaseLock } from './bucket-lock.ts';
import {
  type Allowance,
  clearRing,
  copyRing,
  newestTime,
  type Ring,
  ringCells,
  takeCall,
  WINDOW_MS,
} from './sliding-log.ts';

/** Logs per bucket for single clients. Each bucket also has an overflow log. */
export const LOGS_PER_BUCKET = 16;
const ID_WORDS = 4;
// 1 s longer than the window: a thread may have read the clock and then waited for the lock
const IDLE_MS = WINDOW_MS + 1000;

export interface TableShape {
  /** Capacity of a log, in calls. */
  readonly slots: number;
  readonly buckets: number;
}

/** The largest table of logs of `slots` calls that fits in `bytes`; at least one bucket. */
export function shapeWithin(slots: number, bytes: number): TableShape {
  return { slots, buckets: Math.max(1, Math.floor(bytes / tableBytes({ slots, buckets: 1 }))) };
}

export function tableBytes(shape: TableShape): number {
  return integerBytes(shape) + shape.buckets * bucketCells(shape) * Float64Array.BYTES_PER_ELEMENT;
}

/** View of a table at `byteOffset`, a multiple of 8. Zeroed memory is an empty table. */
export class LogTable {
  readonly #shape: TableShape;
  readonly #locks: Int32Array;
  readonly #ids: Int32Array;
  /** Per bucket: the ring buffers of its logs, then that of its overflow log. */
  readonly #cells: Float64Array;

  constructor(buffer: SharedArrayBuffer, byteOffset: number, shape: TableShape) {
    const { buckets } = shape;
    this.#shape = shape;
    this.#locks = new Int32Array(buffer, byteOffset, buckets);
    this.#ids = new Int32Array(buffer, byteOffset + buckets * 4, buckets * LOGS_PER_BUCKET * ID_WORDS);
    this.#cells = new Float64Array(buffer, byteOffset + integerBytes(shape), buckets * bucketCells(shape));
  }

  /** `id` is a 128-bit hash; zero is reserved for empty logs. */
  take(id: Int32Array, limit: number, nowMs: number): Allowance {
    const bucket = ((id[0] ?? 0) >>> 0) % this.#shape.buckets;
    const version = acquireLock(this.#locks, bucket);
    try {
      const ring = this.#find(bucket, id) ?? this.#claim(bucket, id, nowMs) ?? this.#overflow(bucket);
      return takeCall(ring, limit, nowMs);
    } finally {
      releaseLock(this.#locks, bucket, version);
    }
  }

  #find(bucket: number, id: Int32Array): Ring | undefined {
    for (let log = 0; log < LOGS_PER_BUCKET; log++) {
      if (this.#hasId(bucket, log, id)) return this.#ring(bucket, log);
    }
    return undefined;
  }

  /** Assigns a log to the client. Undefined if all are in use. */
  #claim(bucket: number, id: Int32Array, nowMs: number): Ring | undefined {
    for (let log = 0; log < LOGS_PER_BUCKET; log++) {
      const ring = this.#ring(bucket, log);
      if (!this.#hasId(bucket, log, EMPTY) && !isIdle(ring, nowMs)) continue;
      const overflow = this.#overflow(bucket);
      if (isIdle(overflow, nowMs)) clearRing(ring);
      else copyRing(overflow, ring);
      this.#ids.set(id, this.#idStart(bucket, log));
      return ring;
    }
    return undefined;
  }

  #hasId(bucket: number, log: number, id: Int32Array): boolean {
    const at = this.#idStart(bucket, log);
    const ids = this.#ids;
    return ids[at] === id[0] && ids[at + 1] === id[1] && ids[at + 2] === id[2] && ids[at + 3] === id[3];
  }

  #idStart(bucket: number, log: number): number {
    return (bucket * LOGS_PER_BUCKET + log) * ID_WORDS;
  }

  #overflow(bucket: number): Ring {
    return this.#ring(bucket, LOGS_PER_BUCKET);
  }

  #ring(bucket: number, log: number): Ring {
    const { slots } = this.#shape;
    return { cells: this.#cells, start: bucket * bucketCells(this.#shape) + log * ringCells(slots), slots };
  }
}

const EMPTY = new Int32Array(ID_WORDS);

function isIdle(ring: Ring, nowMs: number): boolean {
  return newestTime(ring) <= nowMs - IDLE_MS;
}

function bucketCells({ slots }: TableShape): number {
  return (LOGS_PER_BUCKET + 1) * ringCells(slots);
}

/** Locks and ids, padded so that the times after them are aligned. */
function integerBytes({ buckets }: TableShape): number {
  const words = buckets * (1 + LOGS_PER_BUCKET * ID_WORDS);
  return Math.ceil(words / 2) * 8;
}
