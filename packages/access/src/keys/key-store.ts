/**
 * A key store: a SQLite file on one machine, or Redis for many. Its interface, errors, audit log, and the
 * rows in which stores keep keys. Every value read is checked, because stores have no checksums.
 */
import { hostname, userInfo } from 'node:os';
import type { SQLOutputValue } from 'node:sqlite';
import { errorMessage, PlainError } from 'toponym-files/errors/errors';
import { parseCidr } from '../address.ts';
import {
  type KeyRecord,
  MAX_PER_DAY,
  MAX_PER_MINUTE,
  MAX_RECORDS,
  type NewKey,
  type NewKeyFields,
  type StoredKey,
} from './key-record.ts';

/** What API calls need from the store. */
export interface KeyLookup {
  /** Returns expired and revoked keys, too. */
  find(keyText: string): KeyRecord | undefined;
  /** Notes in memory when a key was used. */
  touch(id: string, nowMs: number): void;
}

/** When keys were last used, by id, in milliseconds since 1970. */
export type KeyUses = ReadonlyMap<string, number>;

/** SQLite answers at once, Redis later. */
export type Awaitable<T> = T | Promise<T>;

/** Every change is recorded in the audit log, together with the change itself. */
export interface KeyStore {
  /** For messages, such as a folder or an address. */
  readonly location: string;
  /** Always asks the store, never a copy in memory. */
  find(keyText: string): Awaitable<KeyRecord | undefined>;
  /** Throws KeyFieldError. The store cannot return the text in `key` again. */
  create(fields: NewKeyFields, nowMs: number): Awaitable<NewKey>;
  /**
   * Creates a key if the store is empty. If `save` throws, no key is created. Returns undefined if
   * the store is not empty, or if another process is creating the first key.
   */
  createFirst(fields: NewKeyFields, nowMs: number, save: (key: string) => void): Awaitable<string | undefined>;
  isEmpty(): Awaitable<boolean>;
  /** All keys, oldest first, expired and revoked ones included. */
  list(): Awaitable<KeyRecord[]>;
  /** The same keys with their hashes, to copy them to another store. */
  stored(): Awaitable<StoredKey[]>;
  /** Returns undefined if the id is unknown. An earlier revocation keeps its time. */
  revoke(id: string, nowMs: number): Awaitable<KeyRecord | undefined>;
  /** Adds keys of another store. A key that is here already is only revoked, if it is revoked there. */
  copyFrom(keys: readonly StoredKey[], nowMs: number): Awaitable<CopyReport>;
  /** Changes of keys, oldest first. */
  auditLog(): Awaitable<AuditEntry[]>;
  close(): void;
}

export interface CopyReport {
  readonly added: number;
  /** Keys that were here already, and were revoked now. */
  readonly revoked: number;
}

/** The store cannot be read or written. The message is for the operator. */
export class KeyStoreError extends PlainError {
  override readonly name = 'KeyStoreError';
}

/** The content of the store is invalid. */
export class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** The oldest entries beyond these are deleted. */
export const MAX_AUDIT_ENTRIES = 10_000;

const ACTIONS = ['create', 'create first', 'revoke', 'copy'] as const;
export type AuditAction = (typeof ACTIONS)[number];

/** Who created, copied or revoked which key, never its text. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly action: AuditAction;
  readonly keyId: string;
  readonly label: string;
  /** From `operatorName`. */
  readonly who: string;
}

/** User and machine of this process: `root@web1`. A container's user may only have a number. */
export function operatorName(readUser: () => { readonly username: string } = userInfo): string {
  try {
    return `${readUser().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}

/** Throws DamageError if a field is invalid. */
export function parseAuditEntry(fields: Readonly<Record<string, unknown>>): AuditEntry {
  const { action, key_id: keyId, label, who } = fields;
  const at = Number(fields.at);
  const knownAction = ACTIONS.find((known) => known === action);
  const areTexts = typeof keyId === 'string' && typeof label === 'string' && typeof who === 'string';
  if (knownAction === undefined || !areTexts || Number.isNaN(new Date(at).getTime())) {
    throw new DamageError(`an entry of the audit log cannot be read: ${JSON.stringify(fields)}`);
  }
  return { at, action: knownAction, keyId, label, who };
}

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
    batch: Number(record.batch),
    origins: JSON.stringify(record.allowedOrigins),
    cidrs: JSON.stringify(record.allowedCidrs.map(({ text }) => text)),
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
  const list = <Item>(column: string, parse: (text: string) => Item | undefined): Item[] => {
    if (row[column] === '[]') return []; // saves parsing in the common case
    const texts = parseJson(row[column]);
    if (!Array.isArray(texts)) return fail(column);
    return texts.map((item) => (typeof item === 'string' ? parse(item) : undefined) ?? fail(column));
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
    // rows of earlier versions do not have these columns
    perDay: (row.per_day ?? null) === null ? undefined : number('per_day', 1, MAX_PER_DAY),
    batch: (row.batch ?? null) !== null && number('batch', 0, 1) === 1,
    allowedOrigins: list('origins', (origin) => origin),
    allowedCidrs: list('cidrs', parseCidr),
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
