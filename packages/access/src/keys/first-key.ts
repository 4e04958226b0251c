/** The API key created on the first start. A private file holds its text; the store has a hash. */

import { rmSync } from 'node:fs';
import { errorReason } from 'toponym-files/errors/errors';
import { readTextFile } from 'toponym-files/regular-file';
import { writePrivateFile } from 'toponym-files/replace-file';
import { judgeKey } from './key-record.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';

/** A key that works on this machine, or the reason why there is none to show. */
export type FirstKey =
  | { readonly key: string; readonly path: string; readonly isNew: boolean }
  | { readonly key: undefined; readonly reason: 'text-missing' | 'invalid' };

const MAX_KEY_BYTES = 1024;

/** Creates the key if the store is empty. */
export async function ensureFirstKey(keys: KeyStore, firstKeyPath: string, nowMs: number): Promise<FirstKey> {
  const created = (await keys.isEmpty()) ? await createFirstKey(keys, firstKeyPath, nowMs) : undefined;
  if (created !== undefined) return { key: created, path: firstKeyPath, isNew: true };
  return await findFirstKey(keys, firstKeyPath, nowMs);
}

/** Finds the key of an earlier start. Deletes its text if it has been revoked. */
export async function findFirstKey(
  keys: Pick<KeyStore, 'find'>,
  firstKeyPath: string,
  nowMs: number,
): Promise<FirstKey> {
  const key = readKeyText(firstKeyPath);
  if (key === undefined) return { key: undefined, reason: 'text-missing' };
  const localCall = { nowMs, origin: undefined, address: { family: 4, bytes: [127, 0, 0, 1] } } as const;
  if (judgeKey(await keys.find(key), localCall) === 'ok') return { key, path: firstKeyPath, isNew: false };
  await forgetRevokedFirstKey(keys, firstKeyPath);
  return { key: undefined, reason: 'invalid' };
}

/**
 * Deletes the text of the first key if the store says that it is revoked, which is final: commands
 * that read the file would be refused for no visible reason. Returns whether the text was deleted.
 * Never rejects, because a revocation that has been made must not look as if it had failed.
 */
export async function forgetRevokedFirstKey(keys: Pick<KeyStore, 'find'>, firstKeyPath: string): Promise<boolean> {
  const key = readKeyText(firstKeyPath);
  try {
    if (key === undefined || (await keys.find(key))?.revokedAt === undefined) return false;
    rmSync(firstKeyPath);
    return true;
  } catch {
    return false; // the key cannot be read, or the folder is read-only
  }
}

/** Returns undefined if another process created a key first. */
async function createFirstKey(keys: KeyStore, firstKeyPath: string, nowMs: number): Promise<string | undefined> {
  return await keys.createFirst({ label: 'first key' }, nowMs, (key) => {
    try {
      writePrivateFile(firstKeyPath, `${key}\n`);
    } catch (cause) {
      throw new KeyStoreError(`the first key cannot be written to ${firstKeyPath}: ${errorReason(cause)}`, {
        cause,
      });
    }
  });
}

function readKeyText(path: string): string | undefined {
  try {
    return readTextFile(path, MAX_KEY_BYTES).trim();
  } catch {
    return undefined;
  }
}
