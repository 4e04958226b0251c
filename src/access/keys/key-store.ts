/** Interfaces of the key store. Stores contain no rules: `judgeKey` decides. */
import type { KeyRecord, NewKeyFields } from './key-record.ts';

/** Key access of an API call. */
export interface KeyLookup {
  /** Returns the record of a key in any state. A key with a wrong checksum is not looked up. */
  find(keyText: string): KeyRecord | undefined;
  /** Records in memory that a key was used. */
  touch(id: string, nowMs: number): void;
}

/** Times of last use by key id, in milliseconds since 1970. */
export type KeyUses = ReadonlyMap<string, number>;

export interface KeyStore {
  /** As in `KeyLookup`, with a database query. */
  find(keyText: string): KeyRecord | undefined;
  /** Returns the key itself, which cannot be retrieved later. Throws KeyFieldError. */
  create(fields: NewKeyFields, nowMs: number): { readonly record: KeyRecord; readonly key: string };
  /**
   * Creates a key if the store is empty, even if other processes do the same. `save` stores its
   * text; if `save` throws, no key is created. Returns undefined if the store has a key.
   */
  createFirst(fields: NewKeyFields, nowMs: number, save: (key: string) => void): string | undefined;
  isEmpty(): boolean;
  /** Oldest first. */
  list(): KeyRecord[];
  /** Returns undefined if the id is unknown. Revoking again keeps the first time. */
  revoke(id: string, nowMs: number): KeyRecord | undefined;
  /** Never decreases a time. While another program writes, returns false at once. */
  writeUses(uses: KeyUses): boolean;
  /** Throws KeyStoreError if any part of the store is damaged. */
  verify(): void;
  /** Writes a verified copy, readable by its owner only. Throws KeyStoreError if it exists. */
  backUp(file: string): { readonly keys: number };
  close(): void;
}

/** The store cannot be read or written. The message names the file. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}
