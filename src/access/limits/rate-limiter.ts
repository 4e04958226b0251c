/**
 * Rate limits per client, counted across all threads in one SharedArrayBuffer. A client is a group
 * of addresses. Calls with a key that has its own limit are counted separately, per key and group.
 * Logs have five sizes, with a table for each, so that low limits need less memory.
 */
import { randomFillSync } from 'node:crypto';
import { hashWords } from './hash-words.ts';
import { LogTable, shapeWithin, type TableShape, tableBytes } from './log-table.ts';
import type { Allowance } from './sliding-log.ts';

export const DEFAULT_PER_MINUTE = 60;

/** Capacities of logs, in calls. */
const LOG_SIZES = [64, 256, 1024, 4096, 16_384] as const;
const LARGEST_LOG = Math.max(...LOG_SIZES);

export interface RateCall {
  /** From `limitGroup`. */
  readonly group: string;
  /** A key's own limit, which replaces the default. */
  readonly ownLimit?: { readonly keyId: string; readonly perMinute: number } | undefined;
  /** From a monotonic clock shared by all threads. */
  readonly nowMs: number;
}

export interface RateLimiter {
  readonly defaultPerMinute: number;
  /** Counts a call if the limit allows it. */
  take(call: RateCall): Allowance;
  /** The refusal that `take` would return; undefined if it would accept the call. */
  refusalOf(call: RateCall): Allowance | undefined;
}

export interface RateSettings {
  readonly defaultPerMinute?: number;
  /** Memory for logs of the size that the default limit needs. */
  readonly defaultLogBytes?: number;
  /** Memory for logs of each other size. */
  readonly keyLogBytes?: number;
}

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

export function createRateBuffer(settings: RateSettings = {}): SharedArrayBuffer {
  const defaultPerMinute = settings.defaultPerMinute ?? DEFAULT_PER_MINUTE;
  if (!Number.isInteger(defaultPerMinute) || defaultPerMinute < 1 || defaultPerMinute > LARGEST_LOG) {
    throw new RangeError(`the default limit must be an integer from 1 to ${LARGEST_LOG}, got ${defaultPerMinute}`);
  }
  const header = new Int32Array(HEADER_WORDS);
  header[0] = defaultPerMinute;
  header[1] = settings.defaultLogBytes ?? DEFAULT_LOG_BYTES;
  header[2] = settings.keyLogBytes ?? KEY_LOG_BYTES;
  // a secret seed, so that clients cannot choose addresses that share a bucket
  randomFillSync(header.subarray(SEED_START, SEED_START + SEED_WORDS));

  const bytes = tableShapes(header).reduce((sum, shape) => sum + tableBytes(shape), header.byteLength);
  const buffer = new SharedArrayBuffer(bytes);
  new Int32Array(buffer).set(header);
  return buffer;
}

export function openRateLimiter(buffer: SharedArrayBuffer): RateLimiter {
  const header = new Int32Array(buffer, 0, HEADER_WORDS);
  const defaultPerMinute = header[0] ?? DEFAULT_PER_MINUTE;
  const seed = header.subarray(SEED_START, SEED_START + SEED_WORDS).join('.');
  const tables = openTables(buffer, header);
  const limitOf = ({ ownLimit }: RateCall) => ownLimit?.perMinute ?? defaultPerMinute;
  const idOf = ({ group, ownLimit }: RateCall) => hashWords(`${seed}|${ownLimit?.keyId ?? ''}|${group}`);
  return {
    defaultPerMinute,
    take: (call) => tableFor(tables, limitOf(call)).take(idOf(call), limitOf(call), call.nowMs),
    refusalOf: (call) => tableFor(tables, limitOf(call)).refusalOf(idOf(call), limitOf(call), call.nowMs),
  };
}

function openTables(buffer: SharedArrayBuffer, header: Int32Array): LogTable[] {
  let byteOffset = header.byteLength;
  return tableShapes(header).map((shape) => {
    const table = new LogTable(buffer, byteOffset, shape);
    byteOffset += tableBytes(shape);
    return table;
  });
}

function tableShapes(header: Int32Array): TableShape[] {
  const [defaultPerMinute = 0, defaultBytes = 0, keyBytes = 0] = header;
  const defaultSlots = LOG_SIZES.find((slots) => slots >= defaultPerMinute);
  return LOG_SIZES.map((slots) => shapeWithin(slots, slots === defaultSlots ? defaultBytes : keyBytes));
}

function tableFor(tables: readonly LogTable[], limit: number): LogTable {
  const table = tables.find(({ shape }) => shape.slots >= limit);
  if (table === undefined) throw new RangeError(`a limit can be at most ${LARGEST_LOG} per minute, got ${limit}`);
  return table;
}
