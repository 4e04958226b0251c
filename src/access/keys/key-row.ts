/** Rows in which stores keep keys. Every column read is checked, because stores have no checksums. */
import type { SQLOutputValue } from 'node:sqlite';
import { errorMessage } from '../../errors/error-message.ts';
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
  const reader = new RowReader(row);
  const hash = reader.text('hash', (text) => /^[0-9a-f]{64}$/.test(text));
  const record: KeyRecord = {
    id: reader.text('id', (text) => text !== ''),
    label: reader.text('label'),
    maxRecords: reader.numberUpTo(MAX_RECORDS, 'max_records'),
    perMinute: reader.perMinute(),
    perDay: reader.perDay(),
    allowedOrigins: reader.list('origins'),
    allowedCidrs: reader.list('cidrs', (text) => parseCidr(text) !== undefined),
    createdAt: reader.numberUpTo(MAX_TIME_MS, 'created_at'),
    expiresAt: reader.optionalTime('expires_at'),
    revokedAt: reader.optionalTime('revoked_at'),
    lastUsedAt: reader.optionalTime('last_used_at'),
  };
  return { hash, record };
}

class RowReader {
  readonly #row: KeyRow;

  constructor(row: KeyRow) {
    this.#row = row;
  }

  text(column: string, isValid: (text: string) => boolean = () => true): string {
    const value = this.#row[column];
    return typeof value === 'string' && isValid(value) ? value : this.#fail(column);
  }

  numberUpTo(max: number, column: string): number {
    const value = this.#row[column];
    return typeof value === 'number' && value >= 0 && value <= max ? value : this.#fail(column);
  }

  optionalTime(column: string): number | undefined {
    return this.#row[column] === null ? undefined : this.numberUpTo(MAX_TIME_MS, column);
  }

  perMinute(): KeyRecord['perMinute'] {
    const value = this.#row.per_minute;
    if (value === null) return undefined;
    if (value === 'unlimited') return value;
    const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0;
    return count >= 1 && count <= MAX_PER_MINUTE ? count : this.#fail('per_minute');
  }

  /** Rows of earlier versions in Redis do not have this column. */
  perDay(): number | undefined {
    const value = this.#row.per_day ?? undefined;
    if (value === undefined) return undefined;
    const isValid = typeof value === 'number' && value >= 1 && value <= MAX_PER_DAY;
    return isValid ? value : this.#fail('per_day');
  }

  list(column: string, isValid: (text: string) => boolean = () => true): string[] {
    if (this.#row[column] === '[]') return []; // saves parsing in the common case
    const value = parseJson(this.#row[column]);
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && isValid(item));
    return isList ? (value as string[]) : this.#fail(column);
  }

  #fail(column: string): never {
    throw new DamageError(`column ${column} of key ${String(this.#row.id)} cannot be read`);
  }
}

function parseJson(value: SQLOutputValue | undefined): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : undefined;
  } catch {
    return undefined;
  }
}
