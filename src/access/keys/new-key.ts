/** A new API key: its text, which only its owner keeps, and its record. */
import { randomBytes } from 'node:crypto';
import { checkKeyFields, type KeyRecord, type NewKeyFields } from './key-record.ts';
import type { StoredKey } from './key-row.ts';
import { createKeyText, hashKey } from './key-text.ts';

export interface NewKey {
  readonly record: KeyRecord;
  /** Stores keep only its hash. */
  readonly key: string;
}

/** Throws KeyFieldError if a field is invalid. */
export function createKey(fields: NewKeyFields, nowMs: number): NewKey {
  const record: KeyRecord = {
    id: `k${randomBytes(6).toString('hex')}`,
    ...checkKeyFields(fields, nowMs),
    createdAt: Math.floor(nowMs),
    revokedAt: undefined,
    lastUsedAt: undefined,
  };
  return { record, key: createKeyText() };
}

export function toStoredKey({ record, key }: NewKey): StoredKey {
  return { hash: hashKey(key), record };
}
