/**
 * What can be wrong with the key store's file, and the sentence that says so.
 */
import { KeyStoreError } from './key-store.ts';

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

/** The file is there, but what it holds cannot be right. */
export class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** Another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** Says which store cannot be used, why, and what to do about it. */
export function keyStoreError(file: string, cause: unknown): KeyStoreError {
  if (cause instanceof KeyStoreError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = isDamage(cause) ? '. Restore it from a backup, or move it away to start with new keys.' : '';
  return new KeyStoreError(`key store ${file} cannot be used: ${reason}${advice}`, { cause });
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof DamageError || code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE;
}

/** Without the extended part: SQLITE_BUSY_RECOVERY is SQLITE_BUSY. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}
