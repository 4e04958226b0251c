/** Errors of the key store's file and their messages. */
import { errorMessage } from '../../errors/error-message.ts';
import { KeyStoreError } from './key-store.ts';

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

/** The content of the file is invalid. */
export class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** Whether another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** The message names the store, the reason and the remedy. */
export function keyStoreError(file: string, cause: unknown): KeyStoreError {
  if (cause instanceof KeyStoreError) return cause;
  const advice = isDamage(cause) ? '. Restore it from a backup, or move it away to start with new keys.' : '';
  return new KeyStoreError(`key store ${file} cannot be used: ${errorMessage(cause)}${advice}`, { cause });
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof DamageError || code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE;
}

/** Primary result code: SQLITE_BUSY for SQLITE_BUSY_RECOVERY. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}
