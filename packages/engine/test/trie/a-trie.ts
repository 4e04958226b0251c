/** Tries of random keys. */

import { KeyTable } from 'toponym-gazetteer/build/names/key-table';
import { buildTrie } from 'toponym-gazetteer/build/names/trie';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { KeyTrie } from '../../src/trie/key-trie.ts';

/** A trie of sorted keys, in which posting i is that of key i. */
export function aTrie(
  keys: readonly string[],
  isMain = (_key: string) => true,
  bestOf = (_key: string) => 255,
): KeyTrie {
  const postingStarts = Uint32Array.from({ length: keys.length + 1 }, (_, i) => i);
  const table = new KeyTable();
  for (const key of keys) table.add(key);
  const maxImportance = Uint8Array.from(keys, bestOf);
  const mainFromStart = Uint8Array.from(keys, (key) => Number(isMain(key)));
  return new KeyTrie(buildTrie({ ...table.sort(), postingStarts, maxImportance, mainFromStart }), keys.length);
}

export function someKeys(seed: number, count: number, longest = 8): string[] {
  const random = seededRandom(seed);
  const keys = new Set<string>();
  while (keys.size < count) {
    keys.add(
      Array.from({ length: 1 + random(longest) }, () => 'ab c'[random(4)])
        .join('')
        .trim() || 'a',
    );
  }
  return [...keys].sort();
}
