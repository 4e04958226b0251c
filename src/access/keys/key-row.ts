/** A key as a row of the table `keys`. Rows are checked when read: SQLite has no checksums. */
import type { SQLOutputValue } from 'node:sqlite';
import { parseCidr } from '../address.ts';
import { type KeyRecord, MAX_PER_MINUTE, MAX_RECORDS } from './key-record.ts';
import { DamageError } from './key-store-errors.ts';

/** Maximum time that a Date can hold. */
const MAX_TIME_MS = 8.64e15;

export type KeyRow = Readonly<Record<string, SQLOutputValue>>;

export interface StoredKey {
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly record: KeyRecord;
}

/** Throws DamageError naming the key and the column. */
export function parseKeyRow(row: KeyRow): StoredKey {
  const read = new RowReader(row);
  const hash = read.text('hash', (text) => /^[0-9a-f]{64}$/.test(text));
  const record: KeyRecord = {
    id: read.text('id', (text) => text !== ''),
    label: read.text('label', () => true),
    maxRecords: read.integer('max_records', MAX_RECORDS),
    perMinute: read.perMinute(),
    allowedOrigins: read.list('origins', () => true),
    allowedCidrs: read.list('cidrs', (text) => parseCidr(text) !== undefined),
    createdAt: read.integer('created_at', MAX_TIME_MS),
    expiresAt: read.optionalTime('expires_at'),
    revokedAt: read.optionalTime('revoked_at'),
    lastUsedAt: read.optionalTime('last_used_at'),
  };
  return { hash, record };
}

class RowReader {
  readonly #row: KeyRow;

  constructor(row: KeyRow) {
    this.#row = row;
  }

  text(column: string, isValid: (text: string) => boolean): string {
    const value = this.#row[column];
    return typeof value === 'string' && isValid(value) ? value : this.#refuse(column);
  }

  integer(column: string, max: number): number {
    const value = this.#row[column];
    return typeof value === 'number' && value >= 0 && value <= max ? value : this.#refuse(column);
  }

  optionalTime(column: string): number | undefined {
    return this.#row[column] === null ? undefined : this.integer(column, MAX_TIME_MS);
  }

  perMinute(): KeyRecord['perMinute'] {
    const value = this.#row.per_minute;
    if (value === null) return undefined;
    if (value === 'unlimited') return value;
    const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0;
    return count >= 1 && count <= MAX_PER_MINUTE ? count : this.#refuse('per_minute');
  }

  list(column: string, isValid: (text: string) => boolean): string[] {
    if (this.#row[column] === '[]') return []; // the common case
    const value = parseJson(this.#row[column]);
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && isValid(item));
    return isList ? (value as string[]) : this.#refuse(column);
  }

  #refuse(column: string): never {
    throw new DamageError(`it is damaged (column ${column} of key ${String(this.#row.id)} cannot be read)`);
  }
}

function parseJson(value: SQLOutputValue | undefined): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
}
