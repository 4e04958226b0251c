/** Errors of key stores, with messages for the operator. */

/** The store cannot be read or written. */
export class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}

/** The content of the store is invalid. */
export class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** The problem of a Redis that has none of the keys in use. */
export const LOST_KEYS = 'Redis has lost the keys';

export const LOST_REVOCATIONS = 'Redis has lost revocations of keys: these keys stay revoked, also in Redis';
