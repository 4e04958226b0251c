/**
 * Checks that every reference between sections is valid, so that no query throws or loops forever.
 * Checksums show only that a file is as it was written.
 */

import { isUtf8 } from 'node:buffer';
import { type Index, LENGTH_BYTES, MAX_TEXT_BYTES, type SectionName, TEXT_SECTIONS } from './layout.ts';
import { damagedSection } from './open-index.ts';
import { EXTENT_NUMBERS, RECORD_WORDS } from './packed-record.ts';
import { POSTING } from './posting.ts';
import { BLOCK_CELLS, openTrie, type Trie, type TrieName } from './trie.ts';
import {
  verifyAirports,
  verifyAscending,
  verifyExtents,
  verifyKdTree,
  verifyNames,
  verifyPackedRecords,
  verifyPlaceIds,
  verifyPlaces,
  verifyRegions,
  verifyTranslations,
} from './verify-places.ts';

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

/** Throws IndexFormatError. The sizes come first: if they are right, each of the other checks ends soon. */
export function verifyStructure(index: Index): void {
  verifySizes(index);
  verifyTexts(index);
  verifyRegions(index);
  const { regionPlaceStart, regionPlaces } = index;
  verifyAscending(regionPlaceStart, 'regionPlaceStart', { end: regionPlaces.length, minStep: 0 });
  verifyTranslations(index);
  verifyNames(index);
  verifyPlaces(index);
  verifyPackedRecords(index);
  for (const section of PLACE_IDS) verifyPlaceIds(index[section], index.metadata.places, section);
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

/**
 * Throws IndexFormatError unless every node except the root is the child of exactly one earlier
 * node, tails are within `tailLetters`, and siblings have disjoint, ascending postings.
 */
function verifyTrie(trie: Trie, name: string, postingCount: number): void {
  const { childStart, tailStart } = trie;
  const nodes = trie.edgeLetter.length;
  // node 0 is the root, which has no tail
  if (nodes === 0 || childStart[0] !== 1 || childStart[nodes] !== nodes)
    throw damagedSection(`${name}ChildStart`, 'it does not cover the nodes');
  if (tailStart[0] !== 0 || tailStart[1] !== 0 || tailStart[nodes] !== trie.tailLetters.length) {
    throw damagedSection(`${name}TailStart`, 'it does not cover the tails');
  }
  for (let node = 0; node < nodes; node++) {
    if (childStart[node]! <= node || childStart[node]! > childStart[node + 1]!) {
      throw damagedSection(`${name}ChildStart`, `node ${node} does not link forward`);
    }
    if (tailStart[node]! > tailStart[node + 1]!)
      throw damagedSection(`${name}TailStart`, `node ${node} has a tail that ends before it begins`);
  }
  verifyPostingStarts(trie, name, postingCount);
}

/**
 * Checks that `postingStart` ascends among siblings. Nodes are stored level by level, so it ascends
 * within each level, which ends where the children of its first node start.
 */
function verifyPostingStarts({ childStart, postingStart }: Trie, name: string, postingCount: number): void {
  for (let levelStart = 0; levelStart < postingStart.length; ) {
    const levelEnd = childStart[levelStart]!;
    for (let node = levelStart + 1; node < levelEnd; node++) {
      if (postingStart[node]! < postingStart[node - 1]!)
        throw damagedSection(`${name}PostingStart`, `node ${node} is out of order`);
    }
    if (postingStart[levelEnd - 1]! > postingCount)
      throw damagedSection(`${name}PostingStart`, 'it refers beyond the postings');
    levelStart = levelEnd;
  }
}

const SPACE = 0x20;
const CHUNK_BYTES = 1 << 20;

/** Bitmap over the string pool: a bit is set where a text begins. */
type TextStarts = Uint8Array;

function verifyTexts(index: Index): void {
  const textStarts = findTextStarts(index.texts);
  for (const section of TEXT_SECTIONS) verifyTextOffsets(index[section], textStarts, section);
}

/** Throws IndexFormatError if the pool is not a sequence of texts. */
function findTextStarts(texts: Uint8Array): TextStarts {
  const starts = new Uint8Array((texts.length >>> 3) + 1);
  // has room for a longest text that begins just before CHUNK_BYTES
  const chunk = Buffer.alloc(CHUNK_BYTES + LENGTH_BYTES + MAX_TEXT_BYTES);
  for (let from = 0; from < texts.length; ) {
    const copied = texts.subarray(from, from + chunk.length);
    chunk.set(copied);
    const end = markTexts(chunk.subarray(0, copied.length), from, starts);
    if (end > copied.length) throw damagedSection('texts', 'its last text is cut off');
    if (!isUtf8(chunk.subarray(0, end))) throw damagedSection('texts', 'a text is not UTF-8');
    from += end;
  }
  return starts;
}

/**
 * Marks the texts that begin in the first CHUNK_BYTES of a chunk, and returns where the last text
 * ends. Overwrites the lengths in the chunk with spaces, so that one call can check all UTF-8.
 */
function markTexts(chunk: Uint8Array, chunkOffset: number, starts: TextStarts): number {
  let at = 0;
  while (at < CHUNK_BYTES && at < chunk.length) {
    const offset = chunkOffset + at;
    starts[offset >>> 3]! |= 1 << (offset & 7);
    // a missing second byte counts as 0
    const length = chunk[at]! | (chunk[at + 1]! << 8);
    chunk[at] = SPACE;
    chunk[at + 1] = SPACE;
    at += LENGTH_BYTES + length;
  }
  return at;
}

/** Throws IndexFormatError unless a text begins at every offset. */
function verifyTextOffsets(offsets: Uint32Array, starts: TextStarts, section: string): void {
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i]!;
    // a missing byte counts as 0
    const isStart = ((starts[offset >>> 3]! >>> (offset & 7)) & 1) === 1;
    if (!isStart) throw damagedSection(section, `entry ${i} is not the offset of a text`);
  }
}

function verifyPostings(index: Index): void {
  const { postings, slotPosting, regionPostings, regionText } = index;
  const { places } = index.metadata;
  for (let i = 0; i < postings.length; i++) {
    const place = postings[i]! & POSTING.placeMask;
    if (place >= places) throw damagedSection('postings', `posting ${i} refers to place ${place} of ${places}`);
    // `verifySizes` has checked that there are as many slots as postings
    if (slotPosting[i]! >= postings.length)
      throw damagedSection('slotPosting', `slot ${i} does not refer to a posting`);
  }
  for (let i = 0; i < regionPostings.length; i++) {
    const region = regionPostings[i]!;
    if (region === 0 || region >= regionText.length) {
      throw damagedSection('regionPostings', `posting ${i} refers to region ${region} of ${regionText.length}`);
    }
  }
}

function verifySlotNames({ metadata, placeSlots, slotName, placeNames }: Index): void {
  verifyAscending(placeSlots, 'placeSlots', { end: slotName.length, minStep: 0 });
  for (let place = 0; place < metadata.places; place++) {
    const nameCount = placeNames[place + 1]! - placeNames[place]!;
    for (let slot = placeSlots[place]!; slot < placeSlots[place + 1]!; slot++) {
      if (slotName[slot]! >= nameCount) throw damagedSection('slotName', `slot ${slot} does not refer to a name`);
    }
  }
}

function verifyTopLists({ rangeStart, rangeEnd, rangeTopsStart, rangeTops, postings }: Index): void {
  verifyAscending(rangeTopsStart, 'rangeTopsStart', { end: rangeTops.length, minStep: 0 });
  for (let range = 0; range < rangeStart.length; range++) {
    const lo = rangeStart[range]!;
    const hi = rangeEnd[range]!;
    if (lo >= hi || hi > postings.length) throw damagedSection('rangeEnd', `range ${range} is outside the postings`);
    const isInOrder =
      range === 0 || rangeStart[range - 1]! < lo || (rangeStart[range - 1] === lo && rangeEnd[range - 1]! < hi);
    if (!isInOrder) throw damagedSection('rangeStart', `range ${range} is out of order`);
    let at = rangeTopsStart[range]!;
    const end = rangeTopsStart[range + 1]!;
    // a list is its length, then postings, then their positions
    for (const maxLength of POSTING.topSizes) {
      const length = rangeTops[at]!;
      const listEnd = at + 1 + 2 * length;
      if (at >= end || length > maxLength || listEnd > end) {
        throw damagedSection('rangeTops', `a list of range ${range} is too long`);
      }
      for (let i = at + 1; i <= at + length; i++) {
        const position = rangeTops[i + length]!;
        if (position < lo || position >= hi || postings[position] !== rangeTops[i]) {
          throw damagedSection('rangeTops', `a list of range ${range} contradicts the postings`);
        }
      }
      at = listEnd;
    }
    if (at !== end) throw damagedSection('rangeTops', `the lists of range ${range} do not fill their space`);
  }
}
