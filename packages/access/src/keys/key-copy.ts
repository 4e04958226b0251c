/** The copy of the keys in Redis, with the secret, in a private file of the state folder. */

import { crc32 } from 'node:zlib';
import { errorMessage } from 'toponym-files/errors/errors';
import { readTextFile } from 'toponym-files/regular-file';
import { writePrivateFile } from 'toponym-files/replace-file';
import { type RedisSettings, redisAddress } from '../redis/redis-settings.ts';
import type { StoredKey } from './key-record.ts';
import { DamageError, type KeyRow, KeyStoreError, parseKeyRows } from './key-store.ts';
import { type KeyChanges, NOTHING_SEEN } from './keys-in-memory.ts';
import { usableSecret } from './redis-keys.ts';

const MAX_COPY_BYTES = 256 * 1024 * 1024;

interface Copy {
  /** Keys of another Redis are not used. */
  readonly source: string;
  readonly revision: number;
  readonly rows: readonly KeyRow[];
  /** Copies of earlier versions have none. */
  readonly secret?: string | undefined;
}

export function writeKeyCopy(path: string, settings: RedisSettings, { revision, rows, secret }: KeyChanges): void {
  const copy: Copy = { source: sourceOf(settings), revision, rows, secret };
  const text = JSON.stringify(copy);
  writePrivateFile(path, `${checksum(text)} ${text}\n`);
}

/**
 * Returns undefined if the copy is missing, damaged or empty, or was made from another Redis. Rows
 * are not checked: those that were damaged in Redis are damaged here, too.
 */
export function readKeyCopy(path: string, settings: RedisSettings): KeyChanges | undefined {
  try {
    const { source, revision, rows, secret: copied } = parseCopy(path);
    const secret = usableSecret(copied);
    if (source !== sourceOf(settings) || rows.length === 0) return undefined;
    // without a secret, all is read again as soon as Redis can be used
    return { revision: secret === undefined ? NOTHING_SEEN : revision, rows, isComplete: true, secret };
  } catch {
    return undefined;
  }
}

/** The keys in a copy from any Redis. Leaves out damaged rows, and reports them to `onDamage`. */
export function readCopiedKeys(path: string, onDamage: (message: string) => void): StoredKey[] {
  try {
    return parseKeyRows(parseCopy(path).rows, onDamage);
  } catch (cause) {
    throw new KeyStoreError(`the copy of the keys ${path} cannot be used: ${errorMessage(cause)}`, { cause });
  }
}

function parseCopy(path: string): Copy {
  const line = readTextFile(path, MAX_COPY_BYTES).trim();
  const text = line.slice(line.indexOf(' ') + 1);
  if (line !== `${checksum(text)} ${text}`) throw new DamageError('its checksum is wrong');
  return JSON.parse(text) as Copy;
}

function sourceOf(settings: RedisSettings): string {
  return `${settings.prefix} at ${redisAddress(settings)}`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
