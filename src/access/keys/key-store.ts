/**
 * Where keys are kept. Stores hold no rule: `judgeKey` decides, on the record a store found.
 */
import type { KeyRecord, NewKeyFields } from './key-record.ts';

/** What a call needs. */
export interface KeyLookup {
  /** The record of a key, whatever its state. A key whose checksum is wrong is not looked up. */
  find(keyText: string): KeyRecord | undefined;
  /** Notes in memory that a key was used. */
  touch(id: string, nowMs: number): void;
}

/** When keys were last used, by id, in milliseconds since 1970. */
export type KeyUses = ReadonlyMap<string, number>;

export interface KeyStore {
  /** As `KeyLookup` does it, with a query. */
  find(keyText: string): KeyRecord | undefined;
  /** The only moment at which the key itself can be seen. Throws KeyFieldError. */
  create(fields: NewKeyFields, nowMs: number): { readonly record: KeyRecord; readonly key: string };
  /**
   * Creates a key if the store holds none, also while other processes do the same. `keep` saves its text: if it throws,
   * there is no key. Undefined if the store holds a key.
   */
  createFirst(fields: NewKeyFields, nowMs: number, keep: (key: string) => void): string | undefined;
  isEmpty(): boolean;
  /** Oldest first. */
  list(): KeyRecord[];
  /** Undefined when there is no such id. Revoking again keeps the first time. */
  revoke(id: string, nowMs: number): KeyRecord | undefined;
  /** Does not wait: returns false and writes nothing while another program is writing. A later time stays. */
  writeUses(uses: KeyUses): boolean;
  /** Throws KeyStoreError if anything in the store is damaged. */
  verify(): void;
  /** Writes a verified copy that only its owner may read. Throws KeyStoreError if the file exists. */
  backUp(file: string): { readonly keys: number };
  close(): void;
}

/** The store itself cannot be read or written: the message names the file. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}
