/** A key store: a SQLite file on one machine, or Redis for many. Its interface, errors and audit log. */
import { hostname, userInfo } from 'node:os';
import type { KeyRecord, NewKey, NewKeyFields, StoredKey } from './key-record.ts';

/** What API calls need from the store. */
export interface KeyLookup {
  /** Returns expired and revoked keys, too. */
  find(keyText: string): KeyRecord | undefined;
  /** Notes in memory when a key was used. */
  touch(id: string, nowMs: number): void;
}

/** Times of last use by key id, in milliseconds since 1970. */
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
export class KeyStoreError extends Error {
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

/** The user and machine of this process, such as `root@web1`. */
export function operatorName(readUser: () => { readonly username: string } = userInfo): string {
  return `${userName(readUser)}@${hostname()}`;
}

/** Checks every field, because stores have no checksums. Throws DamageError if one is invalid. */
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

/** A container's user may have a number only. */
function userName(readUser: () => { readonly username: string }): string {
  try {
    return readUser().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
