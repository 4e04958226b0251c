/**
 * Where keys are kept. Stores hold no rule: `judgeKey` decides, on the record a store found.
 */
import type { KeyRecord, NewKeyFields } from './key-record.ts';

export interface KeyStore {
  /** The record of a key, whatever its state. A key whose checksum is wrong is not looked up. */
  find(keyText: string): KeyRecord | undefined;
  /** The only moment at which the key itself can be seen. Throws KeyFieldError. */
  create(fields: NewKeyFields, nowMs: number): { readonly record: KeyRecord; readonly key: string };
  /** Oldest first. */
  list(): KeyRecord[];
  /** Undefined when there is no such id. Revoking again keeps the first time. */
  revoke(id: string, nowMs: number): KeyRecord | undefined;
  /** Notes a use in memory; `flush` writes it. */
  touch(id: string, nowMs: number): void;
  flush(): void;
  /** Flushes, then closes. */
  close(): void;
}

/** The store itself cannot be read or written: the message names the file. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}
