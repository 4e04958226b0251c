/** Errors of SQLite, turned into errors of the key store. */
import { errorMessage } from '../../errors/errors.ts';
import { DamageError, KeyStoreError } from '../keys/key-store-errors.ts';

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

export function toKeyStoreError(file: string, cause: unknown): KeyStoreError {
  if (cause instanceof KeyStoreError) return cause;
  const reason = errorMessage(cause);
  const message = isDamage(cause)
    ? `key store ${file} is damaged: ${reason}. Restore it from a backup, or move it away to start with new keys.`
    : `key store ${file} cannot be used: ${reason}`;
  return new KeyStoreError(message, { cause });
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof DamageError || code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE;
}

/** The primary result code, such as SQLITE_BUSY for the extended code SQLITE_BUSY_RECOVERY. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}
