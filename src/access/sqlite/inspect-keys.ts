/** Reads a key store to report on it. It changes nothing, also beside a running service. */
import type { KeyRecord } from '../keys/key-record.ts';
import { parseKeyRow } from '../keys/key-row.ts';
import { checkIntegrity, checkRevision, openKeyDatabaseUntouched } from './key-database.ts';
import { toKeyStoreError } from './sqlite-errors.ts';

/** Returns all keys of a verified store. Throws KeyStoreError if the store cannot be used. */
export function inspectKeys(file: string): KeyRecord[] {
  try {
    const db = openKeyDatabaseUntouched(file);
    try {
      checkIntegrity(db);
      checkRevision(db);
      const rows = db.prepare('SELECT * FROM keys ORDER BY created_at, id').all();
      return rows.map((row) => parseKeyRow(row).record);
    } finally {
      db.close();
    }
  } catch (cause) {
    throw toKeyStoreError(file, cause);
  }
}
