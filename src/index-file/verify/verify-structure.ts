/**
 * Checks that every reference between sections is valid, so that no query throws or loops forever.
 * Checksums show only that a file is as it was written.
 */

import { EXTENT_NUMBERS } from '../extent.ts';
import { damagedSection } from '../format-error.ts';
import { BLOCK_CELLS } from '../gap-filter.ts';
import type { Index, SectionName } from '../layout.ts';
import { RECORD_WORDS } from '../packed-record.ts';
import { POSTING } from '../posting.ts';
import { openTrie, type TrieName } from '../trie.ts';
import {
  verifyAirports,
  verifyExtents,
  verifyKdTree,
  verifyNames,
  verifyPackedRecords,
  verifyPlaceIds,
  verifyPlaces,
  verifyRegions,
  verifyTranslations,
} from './verify-places.ts';
import { verifyPostings, verifySlotNames, verifyTopLists } from './verify-postings.ts';
import { findTextStarts, verifyTextOffsets } from './verify-texts.ts';
import { verifyTrie } from './verify-trie.ts';

/** Sections of offsets in the string pool. */
const TEXT_OFFSETS = [
  'nameText',
  'regionText',
  'regionKey',
  'translationText',
  'externalText',
  'suburbCity',
] as const satisfies readonly SectionName[];

/** Sections of dense ids. */
const PLACE_IDS = [
  'placeByNumber',
  'regionPlaces',
  'retiredPlace',
  'externalPlace',
  'suburbPlace',
  'extentPlace',
  'airportPlace',
] as const satisfies readonly SectionName[];

/** Throws IndexFormatError. */
export function verifyStructure(index: Index): void {
  verifySizes(index);
  const textStarts = findTextStarts(index.texts);
  for (const section of TEXT_OFFSETS) verifyTextOffsets(index[section], textStarts, section);
  verifyRegions(index);
  verifyTranslations(index);
  verifyNames(index);
  verifyPlaces(index);
  verifyPackedRecords(index);
  for (const section of PLACE_IDS) {
    verifyPlaceIds(index[section], index.metadata.places, section);
  }
  verifyExtents(index);
  verifyAirports(index);
  verifyKdTree(index);
  verifyTrie(openTrie(index, 'nameTrie'), 'nameTrie', index.postings.length);
  verifyTrie(openTrie(index, 'regionTrie'), 'regionTrie', index.regionPostings.length);
  verifyPostings(index);
  verifySlotNames(index);
  verifyTopLists(index);
}

/** Checks the lengths of sections against `meta` and against each other. */
function verifySizes(index: Index): void {
  const { places, names, countries } = index.metadata;
  const postings = index.postings.length;
  const expectedLengths: Partial<Record<SectionName, number>> = {
    packedRecords: places * RECORD_WORDS,
    placeType: places,
    placeLatE7: places,
    placeLngE7: places,
    placeImportance: places,
    placeRank: places,
    placeCountry: places,
    placeAdmin1: places,
    placeAdmin2: places,
    placeByNumber: places,
    retiredNumber: index.retiredSource.length,
    retiredPlace: index.retiredSource.length,
    externalText: index.externalPlace.length,
    suburbCity: index.suburbPlace.length,
    extentE7: index.extentPlace.length * EXTENT_NUMBERS,
    airportE7: index.airportPlace.length * 2,
    placeNames: places + 1,
    nameText: names,
    nameLanguage: names,
    nameKind: names,
    regionKey: index.regionText.length,
    regionParent: index.regionText.length,
    regionLevel: index.regionText.length,
    regionPlaceStart: index.regionText.length + 1,
    regionTranslations: index.regionText.length + 1,
    translationLanguage: index.translationText.length,
    ...trieLengths(index, 'nameTrie'),
    ...trieLengths(index, 'regionTrie'),
    postingBlocks: Math.ceil(postings / POSTING.blockSize),
    rangeEnd: index.rangeStart.length,
    rangeTopsStart: index.rangeStart.length + 1,
    placeSlots: places + 1,
    slotPosting: postings,
    slotName: postings,
    treeIds: places,
    treeCoords: places * 3,
  };
  for (const [name, expected] of Object.entries(expectedLengths)) {
    const found = index[name as SectionName].length;
    if (found !== expected) throw damagedSection(name, `it has ${found} elements and should have ${expected}`);
  }
  if (places > POSTING.placeMask) throw damagedSection('meta', `${places} places are more than postings can refer to`);
  const regions = index.regionText.length - 1; // entry 0 means no region
  if (regions < countries.length) throw damagedSection('regionText', 'it has fewer regions than there are countries');
  for (const name of ['nameTrieGaps', 'nameTrieMainGaps', 'regionTrieGaps', 'regionTrieMainGaps'] as const) {
    const { length } = index[name];
    if (length < BLOCK_CELLS || !Number.isInteger(Math.log2(length))) {
      throw damagedSection(name, `${length} cells are not a power of two of at least ${BLOCK_CELLS}`);
    }
  }
}

function trieLengths(index: Index, trie: TrieName): Partial<Record<SectionName, number>> {
  const nodes = index[`${trie}EdgeLetter`].length;
  return {
    [`${trie}ChildStart`]: nodes + 1,
    [`${trie}TailStart`]: nodes + 1,
    [`${trie}PostingStart`]: nodes,
    [`${trie}MaxImportance`]: nodes,
    [`${trie}HasMainName`]: nodes,
  };
}
