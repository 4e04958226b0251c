/**
 * Rate limits per client, counted across all threads in one SharedArrayBuffer of a fixed size. A client
 * is a group of addresses. Calls with a key that has its own limit are counted separately, per key and
 * group. Logs have five sizes, with a table for each, so that low limits need less memory.
 *
 * The hash of a client picks a bucket of its table. A new client takes an empty or idle log of the
 * bucket. A log in use is never reassigned, so no client can reset the limit of another. If all logs of
 * a bucket are in use, new clients share its overflow log. A client's own log starts as a copy of the
 * overflow log, so no client can use its limit twice.
 */
import { randomFillSync } from 'node:crypto';
import { hashWords, hasId, ID_WORDS, locked, NO_ID, placeOf } from './shared-table.ts';
import {
  type Allowance,
  clearLog,
  copyLog,
  type LoggedCall,
  logCells,
  newestTime,
  refusalOf,
  type SlidingLog,
  takeCall,
  WINDOW_MS,
} from './sliding-log.ts';

/** Maximum calls in 60 seconds, unless the service or a key has another limit. */
export const DEFAULT_PER_MINUTE = 60;

/** Logs of single clients per bucket. Each bucket also has an overflow log. */
const LOGS_PER_BUCKET = 16;
/** 1 s longer than a call counts, because a call that waits for the lock has an earlier time. */
const IDLE_MS = WINDOW_MS + 1000;
/** Capacities of logs, in calls. The largest is above the highest limit of a key. */
const LOG_SIZES = [64, 256, 1024, 4096, 16_384] as const;

const MIB = 1024 * 1024;
// All five tables reserve 192 MiB, but the system provides memory only where it is written.
/** Enough for 116,000 addresses per minute at the default limit. */
const DEFAULT_LOG_BYTES = 64 * MIB;
/** Enough for 15,000 addresses per minute with limits up to 256. */
const KEY_LOG_BYTES = 32 * MIB;
/** The buffer starts with: default limit, `defaultLogBytes`, `keyLogBytes`, the seed, padding. */
const HEADER_WORDS = 8;
const SEED_START = 3;
const SEED_WORDS = 4;

export interface RateCall {
  /** From `limitGroup`. */
  readonly group: string;
  /** A key's own limit, which replaces the default. */
  readonly ownLimit?: { readonly keyId: string; readonly perMinute: number } | undefined;
  /** From a monotonic clock shared by all threads. */
  readonly nowMs: number;
  /** Of a batch: calls that are counted together or not at all, at most the limit. */
  readonly calls?: number | undefined;
}

interface RateSettings {
  readonly defaultPerMinute?: number;
  /** Memory for logs of the size that the default limit needs. */
  readonly defaultLogBytes?: number;
  /** Memory for logs of each other size. */
  readonly keyLogBytes?: number;
}

export function createRateBuffer(settings: RateSettings = {}): SharedArrayBuffer {
  const header = new Int32Array(HEADER_WORDS);
  header[0] = settings.defaultPerMinute ?? DEFAULT_PER_MINUTE;
  header[1] = settings.defaultLogBytes ?? DEFAULT_LOG_BYTES;
  header[2] = settings.keyLogBytes ?? KEY_LOG_BYTES;
  // a secret seed, so that clients cannot choose addresses that share a bucket
  randomFillSync(header.subarray(SEED_START, SEED_START + SEED_WORDS));

  const bytes = tableShapes(header).reduce((sum, shape) => sum + tableBytes(shape), header.byteLength);
  const buffer = new SharedArrayBuffer(bytes);
  new Int32Array(buffer).set(header);
  return buffer;
}

/** View of a buffer from `createRateBuffer`. */
export class RateLimiter {
  readonly defaultPerMinute: number;
  readonly #seed: string;
  readonly #tables: readonly LogTable[];

  constructor(buffer: SharedArrayBuffer) {
    const header = new Int32Array(buffer, 0, HEADER_WORDS);
    this.defaultPerMinute = header[0] ?? DEFAULT_PER_MINUTE;
    this.#seed = header.subarray(SEED_START, SEED_START + SEED_WORDS).join('.');
    let byteOffset = header.byteLength;
    this.#tables = tableShapes(header).map((shape) => {
      const table = new LogTable(buffer, byteOffset, shape);
      byteOffset += tableBytes(shape);
      return table;
    });
  }

  limitOf({ ownLimit }: RateCall): number {
    return ownLimit?.perMinute ?? this.defaultPerMinute;
  }

  /** Counts a call if the limit allows it. */
  take(call: RateCall): Allowance {
    const limit = this.limitOf(call);
    return this.#tableFor(limit).take(this.#idOf(call), { limit, nowMs: call.nowMs, calls: call.calls });
  }

  /** The refusal that `take` would return; undefined if it would accept the call. */
  refusalOf(call: RateCall): Allowance | undefined {
    const limit = this.limitOf(call);
    return this.#tableFor(limit).refusalOf(this.#idOf(call), { limit, nowMs: call.nowMs, calls: call.calls });
  }

  #idOf({ group, ownLimit }: RateCall): Int32Array {
    return hashWords(`${this.#seed}|${ownLimit?.keyId ?? ''}|${group}`);
  }

  #tableFor(limit: number): LogTable {
    const table = this.#tables.find(({ shape }) => shape.slots >= limit);
    if (table === undefined) throw new RangeError(`a limit of ${limit} per minute is too high`);
    return table;
  }
}

interface TableShape {
  /** Capacity of a log, in calls. */
  readonly slots: number;
  readonly buckets: number;
}

function tableShapes(header: Int32Array): TableShape[] {
  const [defaultPerMinute = 0, defaultBytes = 0, keyBytes = 0] = header;
  const defaultSlots = LOG_SIZES.find((slots) => slots >= defaultPerMinute);
  return LOG_SIZES.map((slots) => {
    const bytes = slots === defaultSlots ? defaultBytes : keyBytes;
    return { slots, buckets: Math.max(1, Math.floor(bytes / tableBytes({ slots, buckets: 1 }))) };
  });
}

function tableBytes(shape: TableShape): number {
  return lockAndIdBytes(shape) + shape.buckets * bucketCells(shape) * Float64Array.BYTES_PER_ELEMENT;
}

/** Rounded up to a multiple of 8 for the Float64Array after the locks and ids. */
function lockAndIdBytes({ buckets }: TableShape): number {
  const words = buckets * (1 + LOGS_PER_BUCKET * ID_WORDS); // 1 for the lock
  return Math.ceil(words / 2) * 8;
}

function bucketCells({ slots }: TableShape): number {
  return (LOGS_PER_BUCKET + 1) * logCells(slots); // 1 for the overflow log
}

/** View of a table at `byteOffset`, a multiple of 8. Zeroed memory is an empty table. */
class LogTable {
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

  take(id: Int32Array, call: LoggedCall): Allowance {
    const bucket = placeOf(id, this.shape.buckets);
    return locked(this.#locks, bucket, () => {
      const log = this.#find(bucket, id) ?? this.#assign(bucket, id, call.nowMs) ?? this.#log(bucket, LOGS_PER_BUCKET);
      return takeCall(log, call);
    });
  }

  refusalOf(id: Int32Array, call: LoggedCall): Allowance | undefined {
    const bucket = placeOf(id, this.shape.buckets);
    return locked(this.#locks, bucket, () => {
      // a new log would start as a copy of the overflow log
      const log = this.#find(bucket, id) ?? this.#log(bucket, LOGS_PER_BUCKET);
      return refusalOf(log, call);
    });
  }

  #find(bucket: number, id: Int32Array): SlidingLog | undefined {
    for (let index = 0; index < LOGS_PER_BUCKET; index++) {
      if (hasId(this.#ids, idStart(bucket, index), id)) return this.#log(bucket, index);
    }
    return undefined;
  }

  /** Returns undefined if all logs are in use. */
  #assign(bucket: number, id: Int32Array, nowMs: number): SlidingLog | undefined {
    for (let index = 0; index < LOGS_PER_BUCKET; index++) {
      const log = this.#log(bucket, index);
      if (!hasId(this.#ids, idStart(bucket, index), NO_ID) && !isIdle(log, nowMs)) continue;
      const overflowLog = this.#log(bucket, LOGS_PER_BUCKET);
      if (isIdle(overflowLog, nowMs)) clearLog(log);
      else copyLog(overflowLog, log);
      this.#ids.set(id, idStart(bucket, index));
      return log;
    }
    return undefined;
  }

  /** The log number `LOGS_PER_BUCKET` is the overflow log. */
  #log(bucket: number, index: number): SlidingLog {
    const { slots } = this.shape;
    return { cells: this.#cells, start: bucket * bucketCells(this.shape) + index * logCells(slots), slots };
  }
}

function idStart(bucket: number, index: number): number {
  return (bucket * LOGS_PER_BUCKET + index) * ID_WORDS;
}

function isIdle(log: SlidingLog, nowMs: number): boolean {
  return newestTime(log) <= nowMs - IDLE_MS;
}
