/** The copy of the keys in Redis: hashes and records in a private file of the state folder. */
import { crc32 } from 'node:zlib';
import type { KeyRow } from '../../access/keys/key-row.ts';
import type { KeyChanges } from '../../access/keys/keys-in-memory.ts';
import { type RedisSettings, redisAddress } from '../../access/redis/redis-settings.ts';
import { writePrivateFile } from '../../files/private-file.ts';
import { readTextFile } from '../../files/regular-file.ts';

const MAX_COPY_BYTES = 256 * 1024 * 1024;

interface Copy {
  /** Keys of another Redis are not used. */
  readonly source: string;
  readonly revision: number;
  readonly rows: readonly KeyRow[];
}

export function writeKeyCopy(path: string, settings: RedisSettings, { revision, rows }: KeyChanges): void {
  const copy: Copy = { source: sourceOf(settings), revision, rows };
  const text = JSON.stringify(copy);
  writePrivateFile(path, `${checksum(text)} ${text}\n`);
}

/**
 * Returns undefined if the copy is missing or damaged, or was made from another Redis. Rows are not
 * checked: those that were damaged in Redis are damaged here, too.
 */
export function readKeyCopy(path: string, settings: RedisSettings): KeyChanges | undefined {
  try {
    const line = readTextFile(path, MAX_COPY_BYTES).trim();
    const text = line.slice(line.indexOf(' ') + 1);
    if (line !== `${checksum(text)} ${text}`) return undefined;
    const { source, revision, rows } = JSON.parse(text) as Copy;
    if (source !== sourceOf(settings)) return undefined;
    return { revision, rows, isComplete: true };
  } catch {
    return undefined;
  }
}

function sourceOf(settings: RedisSettings): string {
  return `${settings.prefix} at ${redisAddress(settings)}`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
