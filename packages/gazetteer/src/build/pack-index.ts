/**
 * The packed form of an index, for browsers (web/static/read-index.ts), which gzip compresses to half of what it makes
 * of the index itself: the head of the index with other magic bytes, then the sections that cannot be computed from
 * others, in byte planes (all first bytes of the elements, then all second ones, …), and last the texts. Instead of
 * offsets of texts it has their numbers.
 */

import {
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type Sections,
  TEXT_SECTIONS,
} from 'toponym-engine/index-file/layout';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { RECORD_WORDS, SHOWN_NAME_WORD } from 'toponym-engine/index-file/packed-record';
import { POSTING } from 'toponym-engine/index-file/posting';
import { BLOCK_CELLS } from 'toponym-engine/index-file/trie';
import { encodeIndex } from './encode-index.ts';

/** As long as MAGIC. */
export const PACKED_MAGIC = 'TOPOPACK';

export const STORED_SECTIONS = SECTION_NAMES.filter(
  (name) => SECTIONS[name][1] === 'plain' || SECTIONS[name][1] === 'differences',
);
/** Follows each text. No byte of UTF-8 has this value. */
export const TEXT_END = 0xff;

/** Whether a section is stored as differences, of which the lowest bit is the sign. */
export function hasDifferences(name: SectionName): boolean {
  return SECTIONS[name][1] === 'differences';
}

export function packIndex(index: ArrayBuffer | SharedArrayBuffer): Uint8Array[] {
  const sections = slimSections(openIndex(index));
  const [head = new Uint8Array()] = encodeIndex(sections);
  head.set(Buffer.from(PACKED_MAGIC, 'latin1'));
  const numbered = withTextNumbers({ ...sections, slotPosting: slotRanks(sections) });
  return [head, ...STORED_SECTIONS.map((name) => toPlanes(numbered[name], name)), packTexts(sections.texts)];
}

/**
 * Without what only makes searches faster: with 26,000 places it saves less than a millisecond, and would be a fifth of
 * the download.
 */
function slimSections(sections: Sections): Sections {
  const anyLetter = new Int32Array(BLOCK_CELLS).fill(-1);
  const none = new Uint32Array(0);
  return {
    ...sections,
    ...{
      nameTrieGaps: anyLetter,
      nameTrieMainGaps: anyLetter,
      regionTrieGaps: anyLetter,
      regionTrieMainGaps: anyLetter,
    },
    ...{ rangeStart: none, rangeEnd: none, rangeTopsStart: new Uint32Array(1), rangeTops: none },
  };
}

function toPlanes(section: Sections[SectionName], name: SectionName): Uint8Array {
  const stored = section.slice();
  if (hasDifferences(name)) {
    for (let i = stored.length - 1; i >= 0; i--) {
      const difference = (section[i]! - (section[i - 1] ?? 0)) | 0;
      stored[i] = (difference << 1) ^ (difference >> 31);
    }
  }
  const bytes = new Uint8Array(stored.buffer);
  const stride = Math.min(section.BYTES_PER_ELEMENT, 4);
  const count = bytes.length / stride;
  const planes = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) planes[(i % stride) * count + Math.floor(i / stride)] = bytes[i]!;
  return planes;
}

function slotRanks(sections: Sections): Uint32Array {
  const { placeSlots, slotPosting } = sections;
  const sorted = sortedSlots(sections);
  const ranks = new Uint32Array(slotPosting.length);
  for (let place = 0; place < placeSlots.length - 1; place++) {
    const [start, end] = [placeSlots[place]!, placeSlots[place + 1]!];
    const rankOf = new Map(Array.from(sorted.subarray(start, end), (position, rank) => [position, rank]));
    for (let slot = start; slot < end; slot++) ranks[slot] = rankOf.get(slotPosting[slot]!)!;
  }
  return ranks;
}

function withTextNumbers(sections: Sections): Sections {
  const { texts, placeNames, nameText } = sections;
  const numbers = new Map<number, number>();
  for (let at = 0; at < texts.length; at += 2 + lengthAt(texts, at)) numbers.set(at, numbers.size);
  const packedRecords = sections.packedRecords.slice();
  for (let place = 0; place < placeNames.length - 1; place++) {
    const word = place * RECORD_WORDS + SHOWN_NAME_WORD;
    packedRecords[word] = numbers.get(packedRecords[word]!)! - numbers.get(nameText[placeNames[place]!]!)!;
  }
  const numbered = TEXT_SECTIONS.map((name) => [name, sections[name].map((offset) => numbers.get(offset)!)]);
  return { ...sections, packedRecords: transposed(packedRecords, RECORD_WORDS), ...Object.fromEntries(numbered) };
}

function packTexts(texts: Uint8Array): Uint8Array {
  const packed: Uint8Array[] = [];
  for (let at = 0; at < texts.length; at += 2 + lengthAt(texts, at)) {
    packed.push(texts.subarray(at + 2, at + 2 + lengthAt(texts, at)), Uint8Array.of(TEXT_END));
  }
  return Buffer.concat(packed);
}

/** See `readText`. */
function lengthAt(texts: Uint8Array, at: number): number {
  return texts[at]! | (texts[at + 1]! << 8);
}

/** A table of `columns` columns, given row by row, as its columns one after another. */
export function transposed(table: Uint32Array, columns: number): Uint32Array {
  const rows = table.length / columns;
  const result = new Uint32Array(table.length);
  for (let column = 0, i = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) result[i++] = table[row * columns + column]!;
  }
  return result;
}

/** The positions of the postings of each place, ascending. */
export function sortedSlots({ postings, placeSlots }: Pick<Sections, 'postings' | 'placeSlots'>): Uint32Array {
  const sorted = new Uint32Array(postings.length);
  const next = placeSlots.slice();
  for (let position = 0; position < postings.length; position++) {
    sorted[next[postings[position]! & POSTING.placeMask]!++] = position;
  }
  return sorted;
}
