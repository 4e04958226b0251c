/** Backup of the key store: a consistent snapshot in one file, taken while the store is in use. */

import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { errorReason } from '../../errors/errors.ts';
import { createPrivateFile, publishFile } from '../../files/replace-file.ts';
import { parseKeyRow } from '../keys/key-row.ts';
import { KeyStoreError } from '../keys/key-store-errors.ts';
import { checkIntegrity, checkRevision } from './key-database.ts';
import { isDamage } from './sqlite-errors.ts';

/** Writes a checked copy to `file`, which must not exist. Returns the number of keys. */
export function copyKeyDatabase(db: DatabaseSync, file: string): number {
  let temporary: string | undefined;
  try {
    temporary = createPrivateFile(file); // SQLite writes into an empty file and keeps its permissions
    db.prepare('VACUUM INTO ?').run(temporary);
    const keyCount = verifyCopy(temporary);
    flushToDisk(temporary);
    const isPublished = publishFile(temporary, file);
    if (!isPublished) throw new Error('the file exists');
    return keyCount;
  } catch (error) {
    if (isDamage(error)) throw error; // the caller's message for a damaged store fits better
    throw new KeyStoreError(`the backup ${file} cannot be written: ${errorReason(error)}`, { cause: error });
  } finally {
    if (temporary !== undefined) rmSync(temporary, { force: true });
  }
}

function verifyCopy(file: string): number {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    checkIntegrity(copy);
    checkRevision(copy);
    return copy.prepare('SELECT * FROM keys').all().map(parseKeyRow).length;
  } finally {
    copy.close();
  }
}

function flushToDisk(file: string): void {
  const handle = openSync(file, 'r+'); // Windows flushes only files that are open for writing
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
