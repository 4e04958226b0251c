/**
 * The key a new installation starts with, so that the first call works without another step. Stores keep only hashes, so
 * its text is kept beside them, readable by the owner only, for as long as they leave it there.
 */
import { judgeKey } from '../../access/keys/key-record.ts';
import { type KeyStore, KeyStoreError } from '../../access/keys/key-store.ts';
import { writePrivateFile } from '../../files/private-file.ts';
import { readTextFile } from '../../files/regular-file.ts';
import { errorMessage } from '../../errors/error-message.ts';

/** `key` is the text of a key that works; otherwise `reason` says why there is none to show. */
export type FirstKey =
  | { readonly key: string; readonly path: string; readonly isNew: boolean }
  | { readonly key: undefined; readonly reason: 'forgotten' | 'ended' };

export const FIRST_KEY_LABEL = 'first key';

const MAX_KEY_BYTES = 1024;

/** Makes the key where the store holds none at all. */
export function ensureFirstKey(keys: KeyStore, firstKeyPath: string, nowMs: number): FirstKey {
  const made = keys.isEmpty() ? createFirstKey(keys, firstKeyPath, nowMs) : undefined;
  if (made !== undefined) return { key: made, path: firstKeyPath, isNew: true };
  const key = readKept(firstKeyPath);
  if (key === undefined) return { key: undefined, reason: 'forgotten' };
  const use = { nowMs, origin: undefined, address: { family: 4, bytes: [127, 0, 0, 1] } } as const;
  if (judgeKey(keys.find(key), use) !== 'ok') return { key: undefined, reason: 'ended' };
  return { key, path: firstKeyPath, isNew: false };
}

/** The text is written before the key is stored. Undefined if another process was faster. */
function createFirstKey(keys: KeyStore, firstKeyPath: string, nowMs: number): string | undefined {
  return keys.createFirst({ label: FIRST_KEY_LABEL }, nowMs, (key) => {
    try {
      writePrivateFile(firstKeyPath, `${key}\n`);
    } catch (cause) {
      throw new KeyStoreError(`the first key cannot be written to ${firstKeyPath}: ${errorMessage(cause)}`, { cause });
    }
  });
}

function readKept(path: string): string | undefined {
  try {
    return readTextFile(path, MAX_KEY_BYTES).trim();
  } catch {
    return undefined;
  }
}
