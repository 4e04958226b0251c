/**
 * The key a new installation starts with, so that the first call works without another step. Stores keep only hashes, so
 * its text is kept beside them, readable by the owner only, for as long as they leave it there.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { judgeKey } from '../access/key-record.ts';
import { type KeyStore, KeyStoreError } from '../access/key-store.ts';
import { reasonOf } from './usage-error.ts';

/** `key` is the text of a key that works; otherwise `reason` says why there is none to show. */
export type FirstKey =
  | { readonly key: string; readonly path: string; readonly isNew: boolean }
  | { readonly key: undefined; readonly reason: 'forgotten' | 'ended' };

export const FIRST_KEY_LABEL = 'first key';

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
      writeFileSync(firstKeyPath, `${key}\n`, { mode: 0o600, flush: true });
      chmodSync(firstKeyPath, 0o600);
    } catch (cause) {
      throw new KeyStoreError(`the first key cannot be written to ${firstKeyPath}: ${reasonOf(cause)}`, { cause });
    }
  });
}

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
