/**
 * Builds the table of regions, with dense ids (0 for none, then countries, first level, second
 * level), and a trie of all their spellings.
 */
import type { Sections } from '../../index-file/layout.ts';
import type { Country } from '../../place/gazetteer.ts';
import type { Region } from '../../place/place.ts';
import { listSpellings } from '../../text/spellings.ts';
import type { StringPool } from '../pack/string-pool.ts';
import { KeyTable } from './key-table.ts';
import { buildTrie } from './trie.ts';

export interface RegionTable {
  readonly idByKey: ReadonlyMap<string, number>;
  readonly countryCodes: readonly string[];
  readonly sections: RegionSections;
}

type RegionSections = Pick<
  Sections,
  | 'regionText'
  | 'regionParent'
  | 'regionLevel'
  | 'regionTrieChar'
  | 'regionTrieChild'
  | 'regionTrieTail'
  | 'regionTrieValue'
  | 'regionTrieBest'
  | 'regionTrieMain'
  | 'regionTrieGaps'
  | 'regionTrieMainGaps'
  | 'regionTrieTails'
  | 'regionPostings'
>;

/** Leaves out regions without places. `isUsed` takes a country code or region key. */
export function buildRegionIndex(
  countries: readonly Country[],
  regions: readonly Region[],
  { isUsed, strings }: { isUsed: (key: string) => boolean; strings: StringPool },
): RegionTable {
  const used = [
    ...countries
      .filter(({ code }) => isUsed(code))
      .map(({ code, name, aliases }) => ({ key: code, level: 0, parent: '', name, aliases: [code, ...aliases] }))
      .sort(compareKeys),
    ...regions
      .filter(({ key }) => isUsed(key))
      .map((region) => ({ ...region, parent: parentKey(region) }))
      .sort((a, b) => a.level - b.level || compareKeys(a, b)),
  ];
  const idByKey = new Map(used.map(({ key }, i) => [key, i + 1]));
  const regionText = new Uint32Array(used.length + 1);
  const regionParent = new Uint32Array(used.length + 1);
  const regionLevel = new Uint8Array(used.length + 1);
  const table = new KeyTable();
  const idsOfKey: Set<number>[] = [];
  used.forEach(({ name, level, parent, aliases }, i) => {
    const id = i + 1;
    regionText[id] = strings.add(name);
    regionParent[id] = idByKey.get(parent) ?? 0;
    regionLevel[id] = level;
    for (const alias of [name, ...aliases]) {
      for (const spelling of listSpellings(alias)) {
        const key = table.add(spelling);
        idsOfKey[key] = (idsOfKey[key] ?? new Set()).add(id);
      }
    }
  });
  return {
    idByKey,
    countryCodes: used.filter(({ level }) => level === 0).map(({ key }) => key),
    sections: { regionText, regionParent, regionLevel, ...buildRegionTrie(table, idsOfKey) },
  };
}

function buildRegionTrie(table: KeyTable, idsOfKey: readonly ReadonlySet<number>[]) {
  const keys = table.sort();
  const idsByRank: ReadonlySet<number>[] = [];
  idsOfKey.forEach((ids, key) => {
    idsByRank[keys.rank[key]!] = ids;
  });
  const starts = new Uint32Array(table.size + 1);
  const postings: number[] = [];
  idsByRank.forEach((ids, i) => {
    postings.push(...[...ids].sort((a, b) => a - b));
    starts[i + 1] = postings.length;
  });
  const trie = buildTrie({ keys, starts, best: new Uint8Array(table.size), main: new Uint8Array(table.size) });
  return {
    regionTrieChar: trie.char,
    regionTrieChild: trie.child,
    regionTrieTail: trie.tail,
    regionTrieValue: trie.value,
    regionTrieBest: trie.best,
    regionTrieMain: trie.main,
    regionTrieGaps: trie.gaps,
    regionTrieMainGaps: trie.mainGaps,
    regionTrieTails: trie.tails,
    regionPostings: Uint32Array.from(postings),
  };
}

/** `US.TX` for `US.TX.113`, and `US` for `US.TX`. */
function parentKey({ key, level, country }: Region): string {
  return level === 1 ? country : key.slice(0, key.lastIndexOf('.'));
}

function compareKeys(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
