/**
 * Builds the table of regions and a trie of all spellings of their names. Regions are numbered from
 * 1: countries, then first-level divisions, then second-level divisions. Id 0 means no region.
 */
import type { Interner } from 'toponym-engine/collections/sets';
import type { Sections } from 'toponym-engine/index-file/layout';
import { type TrieSections, trieSections } from 'toponym-engine/index-file/trie';
import type { Country, Region } from 'toponym-engine/place/place';
import { listSpellings } from 'toponym-engine/text/spellings';
import type { StringPool } from '../string-pool.ts';
import { KeyTable } from './key-table.ts';
import { buildTrie } from './trie.ts';

export interface RegionTable {
  /** The key is a country code (`US`) or `Region.key` (`US.TX`). */
  readonly idByKey: ReadonlyMap<string, number>;
  /** countryCodes[0] is region 1. */
  readonly countryCodes: readonly string[];
  readonly sections: RegionSections;
}

type RegionSections = TrieSections<'regionTrie'> &
  TranslationSections &
  Pick<Sections, 'regionText' | 'regionKey' | 'regionParent' | 'regionLevel' | 'regionPostings'>;
type TranslationSections = Pick<Sections, 'regionTranslations' | 'translationText' | 'translationLanguage'>;

interface IndexedRegion extends Pick<Region, 'key' | 'name' | 'aliases' | 'areAliasesFolded' | 'translations'> {
  /** 0 for a country. */
  readonly level: number;
  /** A region key, or empty for a country. */
  readonly parent: string;
}

export function buildRegionIndex(
  countries: readonly Country[],
  regions: readonly Region[],
  { usedKeys, strings, languages }: { usedKeys: ReadonlySet<string>; strings: StringPool; languages: Interner },
): RegionTable {
  const usedRegions: IndexedRegion[] = [
    ...countries
      .filter(({ code }) => usedKeys.has(code))
      .map(({ code, name, aliases }) => ({ key: code, level: 0, parent: '', name, aliases: [code, ...aliases] }))
      .sort(compareKeys),
    ...regions
      .filter(({ key }) => usedKeys.has(key))
      .map((region) => ({ ...region, parent: parentKey(region) }))
      .sort((a, b) => a.level - b.level || compareKeys(a, b)),
  ];
  const idByKey = new Map(usedRegions.map(({ key }, i) => [key, i + 1]));
  const regionText = new Uint32Array(usedRegions.length + 1);
  const regionKey = new Uint32Array(usedRegions.length + 1);
  const regionParent = new Uint32Array(usedRegions.length + 1);
  const regionLevel = new Uint8Array(usedRegions.length + 1);
  const spellings = new KeyTable();
  const idsBySpelling: number[][] = []; // by number of the spelling, ascending
  usedRegions.forEach(({ key, name, level, parent, aliases, areAliasesFolded = false }, i) => {
    const id = i + 1;
    regionText[id] = strings.add(name);
    regionKey[id] = strings.add(key);
    regionParent[id] = idByKey.get(parent) ?? 0;
    regionLevel[id] = level;
    const ofAliases = areAliasesFolded ? aliases : aliases.flatMap((alias) => listSpellings(alias));
    for (const spelling of [...listSpellings(name), ...ofAliases]) {
      const number = spellings.add(spelling);
      const ids = idsBySpelling[number];
      if (ids === undefined) idsBySpelling[number] = [id];
      else if (ids.at(-1) !== id) ids.push(id);
    }
  });
  return {
    idByKey,
    countryCodes: usedRegions.filter(({ level }) => level === 0).map(({ key }) => key),
    sections: {
      regionText,
      regionKey,
      regionParent,
      regionLevel,
      ...translationSections(usedRegions, strings, languages),
      ...buildRegionTrie(spellings, idsBySpelling),
    },
  };
}

function translationSections(
  regions: readonly IndexedRegion[],
  strings: StringPool,
  languages: Interner,
): TranslationSections {
  const regionTranslations = new Uint32Array(regions.length + 2);
  const texts: number[] = [];
  const languageIds: number[] = [];
  regions.forEach(({ translations = [] }, i) => {
    for (const [language, name] of translations) {
      texts.push(strings.add(name));
      languageIds.push(languages.intern(language));
    }
    regionTranslations[i + 2] = texts.length; // end of region i + 1
  });
  return {
    regionTranslations,
    translationText: Uint32Array.from(texts),
    translationLanguage: Uint16Array.from(languageIds),
  };
}

function buildRegionTrie(spellings: KeyTable, idsBySpelling: readonly (readonly number[])[]) {
  const { keys, order } = spellings.sort();
  const starts = new Uint32Array(spellings.size + 1);
  const postings: number[] = [];
  order.forEach((number, i) => {
    postings.push(...idsBySpelling[number]!);
    starts[i + 1] = postings.length;
  });
  const zeros = new Uint8Array(spellings.size);
  const trie = buildTrie({ keys, postingStarts: starts, maxImportance: zeros, mainFromStart: zeros });
  return { ...trieSections(trie, 'regionTrie'), regionPostings: Uint32Array.from(postings) };
}

/** `US.TX` for `US.TX.113`, and `US` for `US.TX`. */
function parentKey({ key, level, country }: Region): string {
  return level === 1 ? country : key.slice(0, key.lastIndexOf('.'));
}

function compareKeys(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
