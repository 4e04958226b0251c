/**
 * A table of sliding logs for rate limits, one log per client, in shared memory of a fixed size.
 *
 * The hash of a client picks a bucket. A new client takes an empty or idle log of the bucket. A log
 * in use is never reassigned, so no client can reset the limit of another. If all logs of a bucket
 * are in use, new clients share its overflow log. A client's own log starts as a copy of the
 * overflow log, so no client can use its limit twice.
 */
import { acquireLock, releaseLock } from './bucket-lock.ts';
import {
  type Allowance,
  clearLog,
  copyLog,
  logCells,
  newestTime,
  refusalOf,
  type SlidingLog,
  takeCall,
  WINDOW_MS,
} from './sliding-log.ts';

/** Logs of single clients per bucket. Each bucket also has an overflow log. */
export const LOGS_PER_BUCKET = 16;
const ID_WORDS = 4;
/** 1 s longer than a call counts, because a call that waits for the lock has an earlier time. */
const IDLE_MS = WINDOW_MS + 1000;

export interface TableShape {
  /** Capacity of a log, in calls. */
  readonly slots: number;
  readonly buckets: number;
}

export function shapeWithin(slots: number, bytes: number): TableShape {
  return { slots, buckets: Math.max(1, Math.floor(bytes / tableBytes({ slots, buckets: 1 }))) };
}

export function tableBytes(shape: TableShape): number {
  return lockAndIdBytes(shape) + shape.buckets * bucketCells(shape) * Float64Array.BYTES_PER_ELEMENT;
}

/** View of a table at `byteOffset`, a multiple of 8. Zeroed memory is an empty table. */
export class LogTable {
  readonly shape: TableShape;
  readonly #locks: Int32Array;
  readonly #ids: Int32Array;
  /** Per bucket: the logs of single clients, then the overflow log. */
  readonly #cells: Float64Array;

  constructor(buffer: SharedArrayBuffer, byteOffset: number, shape: TableShape) {
    const { buckets } = shape;
    this.shape = shape;
    this.#locks = new Int32Array(buffer, byteOffset, buckets);
    this.#ids = new Int32Array(buffer, byteOffset + this.#locks.byteLength, buckets * LOGS_PER_BUCKET * ID_WORDS);
    this.#cells = new Float64Array(buffer, byteOffset + lockAndIdBytes(shape), buckets * bucketCells(shape));
  }

  /** Counts a call if the limit allows it. `id` is a 128-bit hash. */
  take(id: Int32Array, limit: number, nowMs: number): Allowance {
    return this.#locked(id, (bucket) => {
      const log = this.#find(bucket, id) ?? this.#assign(bucket, id, nowMs) ?? this.#overflowLog(bucket);
      return takeCall(log, limit, nowMs);
    });
  }

  /** The refusal that `take` would return; undefined if it would accept the call. */
  refusalOf(id: Int32Array, limit: number, nowMs: number): Allowance | undefined {
    return this.#locked(id, (bucket) => {
      // a new log would start as a copy of the overflow log
      const log = this.#find(bucket, id) ?? this.#overflowLog(bucket);
      return refusalOf(log, limit, nowMs);
    });
  }

  #locked<T>(id: Int32Array, action: (bucket: number) => T): T {
    const bucket = ((id[0] ?? 0) >>> 0) % this.shape.buckets;
    const lockVersion = acquireLock(this.#locks, bucket);
    try {
      return action(bucket);
    } finally {
      releaseLock(this.#locks, bucket, lockVersion);
    }
  }

  #find(bucket: number, id: Int32Array): SlidingLog | undefined {
    for (let index = 0; index < LOGS_PER_BUCKET; index++) {
      if (this.#hasId(bucket, index, id)) return this.#log(bucket, index);
    }
    return undefined;
  }

  /** Returns undefined if all logs are in use. */
  #assign(bucket: number, id: Int32Array, nowMs: number): SlidingLog | undefined {
    for (let index = 0; index < LOGS_PER_BUCKET; index++) {
      const log = this.#log(bucket, index);
      if (!this.#hasId(bucket, index, NO_CLIENT) && !isIdle(log, nowMs)) continue;
      const overflowLog = this.#overflowLog(bucket);
      if (isIdle(overflowLog, nowMs)) clearLog(log);
      else copyLog(overflowLog, log);
      this.#ids.set(id, this.#idStart(bucket, index));
      return log;
    }
    return undefined;
  }

  #hasId(bucket: number, index: number, id: Int32Array): boolean {
    const at = this.#idStart(bucket, index);
    const ids = this.#ids;
    return ids[at] === id[0] && ids[at + 1] === id[1] && ids[at + 2] === id[2] && ids[at + 3] === id[3];
  }

  #idStart(bucket: number, index: number): number {
    return (bucket * LOGS_PER_BUCKET + index) * ID_WORDS;
  }

  #overflowLog(bucket: number): SlidingLog {
    return this.#log(bucket, LOGS_PER_BUCKET);
  }

  #log(bucket: number, index: number): SlidingLog {
    const { slots } = this.shape;
    return { cells: this.#cells, start: bucket * bucketCells(this.shape) + index * logCells(slots), slots };
  }
}

const NO_CLIENT = new Int32Array(ID_WORDS); // 0, as in zeroed memory

function isIdle(log: SlidingLog, nowMs: number): boolean {
  return newestTime(log) <= nowMs - IDLE_MS;
}

function bucketCells({ slots }: TableShape): number {
  return (LOGS_PER_BUCKET + 1) * logCells(slots); // 1 for the overflow log
}

/** Rounded up to a multiple of 8 for the Float64Array after the locks and ids. */
function lockAndIdBytes({ buckets }: TableShape): number {
  const words = buckets * (1 + LOGS_PER_BUCKET * ID_WORDS); // 1 for the lock
  return Math.ceil(words / 2) * 8;
}
