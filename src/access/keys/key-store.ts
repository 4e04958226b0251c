/** Interfaces of the key store. `judgeKey` in key-record.ts decides if a call may use a key. */
import type { KeyRecord, NewKeyFields } from './key-record.ts';

/** What API calls need from the store. */
export interface KeyLookup {
  /** Returns the record of a key, even if it is expired or revoked; undefined if it is unknown. */
  find(keyText: string): KeyRecord | undefined;
  /** Notes in memory when a key was used; `KeyStore.writeUses` writes that time later. */
  touch(id: string, nowMs: number): void;
}

/** For each key id, the time of last use, in milliseconds since 1970. */
export type KeyUses = ReadonlyMap<string, number>;

export interface KeyStore {
  /** As in `KeyLookup`, which may look in memory; this always queries the database. */
  find(keyText: string): KeyRecord | undefined;
  /** Throws KeyFieldError. `key` is the text of the new key, which cannot be retrieved later. */
  create(fields: NewKeyFields, nowMs: number): { readonly record: KeyRecord; readonly key: string };
  /**
   * Creates a key if the store is empty; if several processes try, one succeeds. Calls `save` with
   * the text of the key; if `save` throws, no key is created. Returns the text of the key, or
   * undefined if the store is not empty.
   */
  createFirst(fields: NewKeyFields, nowMs: number, save: (key: string) => void): string | undefined;
  isEmpty(): boolean;
  /** All keys, oldest first, expired and revoked ones included. */
  list(): KeyRecord[];
  /** Returns undefined if there is no such id. An earlier revocation keeps its time. */
  revoke(id: string, nowMs: number): KeyRecord | undefined;
  /** Writes times of use, never over later ones. Returns false at once if the store is locked. */
  writeUses(uses: KeyUses): boolean;
  /** Throws KeyStoreError if any part of the store is damaged. */
  verify(): void;
  /** Writes a verified copy, readable by its owner only. Throws KeyStoreError if `file` exists. */
  backUp(file: string): { readonly keys: number };
  close(): void;
}
