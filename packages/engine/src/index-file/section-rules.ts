/**
 * What the numbers of each section must be, as far as a number and the one before it tell.
 * `verifyStructure` reads this table, and compares sections with each other where that is not enough.
 */
import { MAX_ADMIN_RANK, NAME_KINDS, PLACE_TYPES } from '../place/place.ts';
import type { Index, SectionName } from './layout.ts';
import { RECORD_WORDS } from './packed-record.ts';
import { POSTING } from './posting.ts';
import { BLOCK_CELLS, type TrieName } from './trie.ts';

export interface SectionRule {
  /** How many numbers there are. */
  readonly length?: number;
  /** Every number is below this. */
  readonly below?: number;
  /** No number is further from 0. With several limits, records have as many numbers. */
  readonly within?: readonly number[];
  /** Every number is at least this much higher than the one before. */
  readonly rise?: number;
  /** The first and the last number. */
  readonly ends?: readonly [number, number];
  /** Every number is the offset of a text in `texts`. */
  readonly isText?: true;
}

type Rules = Readonly<Partial<Record<SectionName, SectionRule>>>;

const MAX_LAT_E7 = 90e7;
const MAX_LNG_E7 = 180e7;
const TEXT = { isText: true } as const;

export function sectionRules(index: Index): Rules {
  const { places, names, countries, languages } = index.metadata;
  const regions = index.regionText.length;
  const postings = index.postings.length;
  return {
    packedRecords: { length: places * RECORD_WORDS },
    placeType: { length: places, below: PLACE_TYPES.length },
    placeLatE7: { length: places, within: [MAX_LAT_E7] },
    placeLngE7: { length: places, within: [MAX_LNG_E7] },
    placeImportance: { length: places },
    placeRank: { length: places, below: MAX_ADMIN_RANK + 1 },
    placeCountry: { length: places, below: countries.length + 1 },
    placeAdmin1: { length: places, below: regions },
    placeAdmin2: { length: places, below: regions },
    placeByNumber: { length: places, below: places },
    retiredNumber: { length: index.retiredSource.length },
    retiredPlace: { length: index.retiredSource.length, below: places },
    externalPlace: { below: places },
    externalText: { length: index.externalPlace.length, ...TEXT },
    suburbPlace: { below: places },
    suburbCity: { length: index.suburbPlace.length, ...TEXT },
    extentPlace: { below: places, rise: 1 },
    extentE7: { length: index.extentPlace.length * 4, within: [MAX_LNG_E7, MAX_LAT_E7, MAX_LNG_E7, MAX_LAT_E7] },
    airportPlace: { below: places, rise: 0 },
    airportE7: { length: index.airportPlace.length * 2, within: [MAX_LAT_E7, MAX_LNG_E7] },
    placeNames: { ...startsOf(names, places), rise: 1 },
    nameText: { length: names, ...TEXT },
    nameLanguage: { length: names, below: languages.length },
    nameKind: { length: names, below: NAME_KINDS.length },
    regionText: TEXT,
    regionKey: { length: regions, ...TEXT },
    regionParent: { length: regions },
    regionLevel: { length: regions },
    regionPlaceStart: startsOf(index.regionPlaces.length, regions),
    regionPlaces: { below: places },
    regionTranslations: startsOf(index.translationText.length, regions),
    translationText: TEXT,
    translationLanguage: { length: index.translationText.length, below: languages.length },
    ...trieRules(index, 'nameTrie', postings),
    postingBlocks: { length: Math.ceil(postings / POSTING.blockSize) },
    rangeStart: { rise: 0 },
    rangeEnd: { length: index.rangeStart.length, below: postings + 1 },
    rangeTopsStart: startsOf(index.rangeTops.length, index.rangeStart.length),
    placeSlots: startsOf(postings, places),
    slotPosting: { length: postings, below: postings },
    slotName: { length: postings },
    ...trieRules(index, 'regionTrie', index.regionPostings.length),
    regionPostings: { below: regions },
    treeIds: { length: places, below: places },
    treeCoords: { length: places * 3 },
  };
}

/** Owner o has the entries of a list from starts[o] up to starts[o + 1]. */
function startsOf(listLength: number, owners: number): SectionRule {
  return { length: owners + 1, rise: 0, ends: [0, listLength] };
}

function trieRules(index: Index, trie: TrieName, postings: number): Rules {
  const nodes = index[`${trie}EdgeLetter`].length;
  return {
    [`${trie}ChildStart`]: { length: nodes + 1, rise: 0, ends: [1, nodes] }, // node 0 is no child
    [`${trie}TailStart`]: startsOf(index[`${trie}TailLetters`].length, nodes),
    [`${trie}PostingStart`]: { length: nodes, below: postings + 1 },
    [`${trie}MaxImportance`]: { length: nodes },
    [`${trie}HasMainName`]: { length: nodes },
    [`${trie}Gaps`]: { length: gapCells(index[`${trie}Gaps`].length) },
    [`${trie}MainGaps`]: { length: gapCells(index[`${trie}MainGaps`].length) },
  };
}

/** A power of two. */
function gapCells(cells: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(cells, BLOCK_CELLS)));
}
