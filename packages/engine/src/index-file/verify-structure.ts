/**
 * Checks that every reference between sections is valid, so that no query throws or loops forever.
 * Checksums show only that a file is as it was written.
 */
import { type Index, LENGTH_BYTES, MAX_IMPORTANCE, MAX_TEXT_BYTES, type SectionName } from './layout.ts';
import { damagedSection } from './open-index.ts';
import {
  EXTENT_NUMBERS,
  readAdmin2,
  readIdLetter,
  readImportance,
  readLatE7,
  readLngE7,
  readShownNameOffset,
  readTimezone,
  readType,
} from './packed-record.ts';
import { POSTING } from './posting.ts';
import { type SectionRule, sectionRules } from './section-rules.ts';
import { openTrie, type TrieName } from './trie.ts';

const LETTER_A = 0x41;
const LETTER_Z = 0x5a;
/** Tolerance for squared lengths, because coordinates are 32-bit floats. */
const MAX_LENGTH_ERROR = 1e-5;

type Utf8Check = (bytes: Uint8Array) => boolean;

/** Throws IndexFormatError. Later checks rely on earlier ones. `isUtf8` is that of Node.js: JavaScript has no quick one. */
export function verifyStructure(index: Index, isUtf8: Utf8Check): void {
  const textStarts = findTextStarts(index.texts, isUtf8);
  for (const [name, rule] of Object.entries(sectionRules(index)) as [SectionName, SectionRule][]) {
    verifySection(name, index[name], { ...rule, textStarts });
  }
  verifyRegions(index);
  verifyPackedRecords(index);
  verifyExtents(index);
  verifyTree(index);
  verifyTrie(index, 'nameTrie');
  verifyTrie(index, 'regionTrie');
  verifyPostings(index);
  verifyTopLists(index);
}

type Numbers = Index[SectionName];

/** Checks a section alone. */
function verifySection(name: SectionName, numbers: Numbers, rule: SectionRule & { readonly textStarts: Bits }): void {
  const { length = numbers.length, ends: [first, last] = [], within = [], below, rise, isText, textStarts } = rule;
  if (numbers.length !== length) {
    throw damagedSection(name, `it has ${numbers.length} elements and should have ${length}`);
  }
  const wide = numbers as Uint32Array; // as are all sections with `rise` or `isText`
  const wrong = [
    first === undefined || numbers[0] === first ? -1 : 0,
    last === undefined || numbers[length - 1] === last ? -1 : length - 1,
    ...within.map((max, field) => indexOfFar(numbers as Int32Array, max, [field, within.length])),
    below === undefined ? -1 : (numbers instanceof Uint32Array ? indexOfHigh : indexOfHighNarrow)(wide, below),
    rise === undefined ? -1 : indexOfLow(wide, rise),
    isText ? indexOfNoText(wide, textStarts) : -1,
  ].find((at) => at !== -1);
  if (wrong !== undefined) throw damagedSection(name, `entry ${wrong} cannot be ${numbers[wrong]}`);
}

// These functions return -1 if there is no such number.

function indexOfHigh(numbers: Uint32Array, below: number): number {
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! >= below) return i;
  return -1;
}

/** The same loop, because one over arrays of one type takes half the time. */
function indexOfHighNarrow(numbers: Numbers, below: number): number {
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! >= below) return i;
  return -1;
}

function indexOfFar(numbers: Int32Array, max: number, [first, step]: [number, number]): number {
  for (let i = first; i < numbers.length; i += step) if (Math.abs(numbers[i]!) > max) return i;
  return -1;
}

function indexOfLow(numbers: Uint32Array, rise: number): number {
  let min = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (number < min) return i;
    min = number + rise;
  }
  return -1;
}

function indexOfNoText(offsets: Uint32Array, textStarts: Bits): number {
  for (let i = 0; i < offsets.length; i++) if (!hasBit(textStarts, offsets[i]!)) return i;
  return -1;
}

/** One bit per number. Reading a bit beyond the end gives false. */
type Bits = Uint8Array;

function hasBit(bits: Bits, i: number): boolean {
  return ((bits[i >>> 3]! >>> (i & 7)) & 1) === 1;
}

function setBit(bits: Bits, i: number): void {
  bits[i >>> 3]! |= 1 << (i & 7);
}

const SPACE = 0x20;
const CHUNK_BYTES = 1 << 20;

/** Returns at which bytes of the string pool a text begins. */
function findTextStarts(texts: Uint8Array, isUtf8: Utf8Check): Bits {
  const starts = new Uint8Array((texts.length >>> 3) + 1);
  // has room for a longest text that begins just before CHUNK_BYTES
  const chunk = new Uint8Array(CHUNK_BYTES + LENGTH_BYTES + MAX_TEXT_BYTES);
  for (let from = 0, next = 0; from < texts.length; from = next) {
    chunk.set(texts.subarray(from, from + chunk.length));
    const end = Math.min(from + CHUNK_BYTES, texts.length);
    while (next < end) {
      setBit(starts, next);
      const at = next - from;
      next += LENGTH_BYTES + (chunk[at]! | (chunk[at + 1]! << 8));
      // instead of the length, so that one call can check all UTF-8
      chunk[at] = SPACE;
      chunk[at + 1] = SPACE;
    }
    if (next > texts.length) throw damagedSection('texts', 'its last text is cut off');
    if (!isUtf8(chunk.subarray(0, next - from))) throw damagedSection('texts', 'a text is not UTF-8');
  }
  return starts;
}

/** Region 0 means none; countries, of level 0, and divisions follow, in the order of levels and after their parents. */
function verifyRegions({ metadata, regionParent, regionLevel }: Index): void {
  const countries = metadata.countries.length;
  if (regionLevel.length <= countries) throw damagedSection('regionLevel', `it has fewer than ${countries} countries`);
  for (let region = 0; region < regionLevel.length; region++) {
    const level = regionLevel[region]!;
    const isInOrder = region <= countries ? level === 0 : level >= Math.max(1, regionLevel[region - 1]!) && level <= 2;
    if (!isInOrder) throw damagedSection('regionLevel', `region ${region} has level ${level}`);
    if (regionParent[region]! > Math.max(0, region - 1)) {
      throw damagedSection('regionParent', `region ${region} has a later region as its parent`);
    }
  }
}

/** Fields must agree with the sections that repeat them. Places are in the order of importance. */
function verifyPackedRecords(index: Index): void {
  const { placeType, placeLatE7, placeLngE7, placeAdmin2, placeImportance } = index;
  const timezones = index.metadata.timezones.length;
  let maxImportance = MAX_IMPORTANCE;
  for (let place = 0; place < placeType.length; place++) {
    const importance = placeImportance[place]!;
    if (importance > maxImportance) throw damagedSection('placeImportance', `place ${place} is out of order`);
    maxImportance = importance;
    const letter = readIdLetter(index, place);
    const isConsistent =
      readType(index, place) === placeType[place] &&
      letter >= LETTER_A &&
      letter <= LETTER_Z &&
      readLatE7(index, place) === placeLatE7[place] &&
      readLngE7(index, place) === placeLngE7[place] &&
      hasName(index, place, readShownNameOffset(index, place)) &&
      readAdmin2(index, place) === placeAdmin2[place] &&
      readImportance(index, place) === importance &&
      readTimezone(index, place) < timezones;
    if (!isConsistent) throw damagedSection('packedRecords', `the record of place ${place} contradicts its columns`);
  }
}

function hasName({ placeNames, nameText }: Index, place: number, textOffset: number): boolean {
  for (let name = placeNames[place]!; name < placeNames[place + 1]!; name++) {
    if (nameText[name] === textOffset) return true;
  }
  return false;
}

function verifyExtents({ extentE7 }: Index): void {
  for (let south = 1; south < extentE7.length; south += EXTENT_NUMBERS) {
    if (extentE7[south]! > extentE7[south + 2]!)
      throw damagedSection('extentE7', `entry ${south} is north of its north`);
  }
}

/** Every place must be in the k-d tree once. */
function verifyTree({ treeIds, treeCoords }: Index): void {
  const seen = new Uint8Array((treeIds.length >>> 3) + 1);
  for (let i = 0; i < treeIds.length; i++) {
    if (hasBit(seen, treeIds[i]!)) throw damagedSection('treeIds', `entry ${i} repeats a place`);
    setBit(seen, treeIds[i]!);
    const x = treeCoords[3 * i]!;
    const y = treeCoords[3 * i + 1]!;
    const z = treeCoords[3 * i + 2]!;
    const isUnit = Math.abs(x * x + y * y + z * z - 1) < MAX_LENGTH_ERROR; // false for NaN
    if (!isUnit) throw damagedSection('treeCoords', `entry ${i} is not on the unit sphere`);
  }
}

/**
 * Every node except the root must be the child of exactly one earlier node, and siblings must have
 * ascending postings. Nodes are stored level by level, so postings ascend within each level. A level
 * ends where the children of its first node start.
 */
function verifyTrie(index: Index, name: TrieName): void {
  const { childStart, tailStart, postingStart } = openTrie(index, name);
  if (tailStart[1] !== 0) throw damagedSection(`${name}TailStart`, 'the root has a tail');
  let levelEnd = 0;
  for (let node = 0; node < postingStart.length; node++) {
    if (childStart[node]! <= node) throw damagedSection(`${name}ChildStart`, `node ${node} does not link forward`);
    if (node === levelEnd) levelEnd = childStart[node]!;
    else if (postingStart[node]! < postingStart[node - 1]!) {
      throw damagedSection(`${name}PostingStart`, `node ${node} is out of order`);
    }
  }
}

/** Postings must refer to places, and slots to names of their places. */
function verifyPostings({ metadata, postings, regionPostings, placeSlots, slotName, placeNames }: Index): void {
  if (regionPostings.includes(0)) throw damagedSection('regionPostings', 'a posting refers to no region');
  const { places } = metadata;
  if (places > POSTING.placeMask) throw damagedSection('meta', `${places} places are more than postings can refer to`);
  for (let i = 0; i < postings.length; i++) {
    if ((postings[i]! & POSTING.placeMask) >= places) throw damagedSection('postings', `entry ${i} is not of a place`);
  }
  for (let place = 0; place < places; place++) {
    const nameCount = placeNames[place + 1]! - placeNames[place]!;
    const end = placeSlots[place + 1]!;
    for (let slot = placeSlots[place]!; slot < end; slot++) {
      if (slotName[slot]! >= nameCount) throw damagedSection('slotName', `slot ${slot} does not refer to a name`);
    }
  }
}

/** The lists of a range must be short, and repeat postings of the range. */
function verifyTopLists({ rangeStart, rangeEnd, rangeTopsStart, rangeTops, postings }: Index): void {
  for (let range = 0; range < rangeStart.length; range++) {
    const lo = rangeStart[range]!;
    const hi = rangeEnd[range]!;
    if (lo >= hi) throw damagedSection('rangeEnd', `range ${range} is empty`);
    if (rangeStart[range - 1] === lo && rangeEnd[range - 1]! >= hi) {
      throw damagedSection('rangeEnd', `range ${range} is out of order`);
    }
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
