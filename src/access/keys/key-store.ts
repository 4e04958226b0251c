/** Interfaces of the key store. */
import type { KeyRecord, NewKeyFields } from './key-record.ts';
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

export interface KeyStore {
  /** Always queries the database. */
  find(keyText: string): KeyRecord | undefined;
  /** Throws KeyFieldError. The store cannot return the text in `key` again. */
  create(fields: NewKeyFields, nowMs: number): NewKey;
  /** Creates a key if the store is empty. If `save` throws, no key is created. */
  createFirst(fields: NewKeyFields, nowMs: number, save: (key: string) => void): string | undefined;
  isEmpty(): boolean;
  /** All keys, oldest first, expired and revoked ones included. */
  list(): KeyRecord[];
  /** Returns undefined if the id is unknown. An earlier revocation keeps its time. */
  revoke(id: string, nowMs: number): KeyRecord | undefined;
  /** Writes times of use, never over later ones. Returns false at once if the store is locked. */
  writeUses(uses: KeyUses): boolean;
  /** Throws KeyStoreError if any part of the store is damaged. */
  verify(): void;
  /** Writes a verified copy, readable by its owner only. Throws KeyStoreError if `file` exists. */
  backUp(file: string): { readonly keys: number };
  close(): void;
}
