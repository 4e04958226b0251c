/** Interfaces of the key stores: a SQLite file on one machine, or Redis for many. */
import type { AuditEntry } from './audit-entry.ts';
import type { KeyRecord, NewKeyFields } from './key-record.ts';
import type { StoredKey } from './key-row.ts';
import type { NewKey } from './new-key.ts';

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
