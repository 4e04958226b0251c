/** Rows in which stores keep keys. Every column read is checked, because stores have no checksums. */
import type { SQLOutputValue } from 'node:sqlite';
import { errorMessage } from '../../errors/errors.ts';
import { parseCidr } from '../address.ts';
import { type KeyRecord, MAX_PER_DAY, MAX_PER_MINUTE, MAX_RECORDS, type StoredKey } from './key-record.ts';
import { DamageError } from './key-store.ts';

/** Latest time that a Date can hold. */
const MAX_TIME_MS = 8.64e15;

export type KeyRow = Readonly<Record<string, SQLOutputValue>>;

/** The columns of a new key. */
export function toKeyRow({ hash, record }: StoredKey) {
  return {
    id: record.id,
    hash,
    label: record.label,
    max_records: record.maxRecords,
    per_minute: record.perMinute === undefined ? null : String(record.perMinute),
    per_day: record.perDay ?? null,
    origins: JSON.stringify(record.allowedOrigins),
    cidrs: JSON.stringify(record.allowedCidrs),
    created_at: record.createdAt,
    expires_at: record.expiresAt ?? null,
    revoked_at: record.revokedAt ?? null,
    last_used_at: record.lastUsedAt ?? null,
  };
}

/** Leaves out damaged rows. `onDamage` gets a message that names the key. */
export function parseKeyRows(rows: readonly KeyRow[], onDamage: (message: string) => void): StoredKey[] {
  return rows.flatMap((row) => {
    try {
      return [parseKeyRow(row)];
    } catch (error) {
      onDamage(errorMessage(error));
      return [];
    }
  });
}

/** Throws DamageError if a column is invalid. */
export function parseKeyRow(row: KeyRow): StoredKey {
  const fail = (column: string): never => {
    throw new DamageError(`column ${column} of key ${String(row.id)} cannot be read`);
  };
  const text = (column: string, pattern = /^/): string => {
    const value = row[column];
    return typeof value === 'string' && pattern.test(value) ? value : fail(column);
  };
  const number = (column: string, min: number, max: number): number => {
    const value = row[column];
    return typeof value === 'number' && value >= min && value <= max ? value : fail(column);
  };
  const time = (column: string): number => number(column, 0, MAX_TIME_MS);
  const optionalTime = (column: string): number | undefined => (row[column] === null ? undefined : time(column));
  const list = (column: string, isValid: (text: string) => boolean): string[] => {
    if (row[column] === '[]') return []; // saves parsing in the common case
    const value = parseJson(row[column]);
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && isValid(item));
    return isList ? (value as string[]) : fail(column);
  };
  const perMinute = (): KeyRecord['perMinute'] => {
    if (row.per_minute === null) return undefined;
    if (row.per_minute === 'unlimited') return row.per_minute;
    const count = Number(text('per_minute', /^\d{1,9}$/));
    return count >= 1 && count <= MAX_PER_MINUTE ? count : fail('per_minute');
  };
  const hash = text('hash', /^[0-9a-f]{64}$/);
  const record: KeyRecord = {
    id: text('id', /./),
    label: text('label'),
    maxRecords: number('max_records', 0, MAX_RECORDS),
    perMinute: perMinute(),
    // rows of earlier versions in Redis do not have this column
    perDay: (row.per_day ?? null) === null ? undefined : number('per_day', 1, MAX_PER_DAY),
    allowedOrigins: list('origins', () => true),
    allowedCidrs: list('cidrs', (cidr) => parseCidr(cidr) !== undefined),
    createdAt: time('created_at'),
    expiresAt: optionalTime('expires_at'),
    revokedAt: optionalTime('revoked_at'),
    lastUsedAt: optionalTime('last_used_at'),
  };
  return { hash, record };
}

function parseJson(value: SQLOutputValue | undefined): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
}
