/** Reads an index file in the browser. A packed one becomes an index again: see packages/gazetteer/src/build/pack-index.ts. */

import {
  HEAD_BYTES,
  HEADER,
  MAGIC,
  SECTIONS,
  type SectionName,
  type Sections,
  TEXT_SECTIONS,
} from 'toponym-engine/index-file/layout';
import { IndexFormatError, parseHead, verifyChecksums } from 'toponym-engine/index-file/open-index';
import {
  RECORD_WORDS,
  readAdmin2,
  readImportance,
  readLatE7,
  readLngE7,
  readType,
  SHOWN_NAME_WORD,
} from 'toponym-engine/index-file/packed-record';
import { writeUnitVector } from 'toponym-gazetteer/build/kd-tree';
import {
  hasDifferences,
  PACKED_MAGIC,
  STORED_SECTIONS,
  sortedSlots,
  TEXT_END,
  transposed,
} from 'toponym-gazetteer/build/pack-index';
import { regionPlaceSections } from 'toponym-gazetteer/build/records';
import type { ByteReader, Chunk } from './byte-reader.ts';

/**
 * Reads an index, packed or not, while it arrives. Throws IndexFormatError. A packed one has no checksums, because it is
 * always compressed: gzip checks its bytes.
 */
export async function readIndex(bytes: ByteReader): Promise<ArrayBuffer> {
  const head = await bytes.take(HEAD_BYTES);
  const size = head.length < HEADER.size ? 0 : Number(new DataView(head.buffer).getBigUint64(HEADER.fileBytesAt, true));
  const isPacked = String.fromCharCode(...head.subarray(0, MAGIC.length)) === PACKED_MAGIC;
  if (isPacked) head.set(new TextEncoder().encode(MAGIC));
  const entries = parseHead(head, size);
  const buffer = new ArrayBuffer(size);
  const index = new Uint8Array(buffer);
  index.set(head);
  if (isPacked) {
    const views = entries.map(({ name, offset, bytes: length }) => {
      const [View] = SECTIONS[name];
      return [name, new View(buffer, offset, length / View.BYTES_PER_ELEMENT)];
    });
    await unpackInto(Object.fromEntries(views) as unknown as Sections, bytes);
  } else {
    index.set(await takeAll(bytes, size - HEAD_BYTES), HEAD_BYTES);
    verifyChecksums(buffer);
  }
  return buffer;
}

async function takeAll(bytes: ByteReader, size: number): Promise<Chunk> {
  const taken = await bytes.take(size);
  if (taken.length === size) return taken;
  throw new IndexFormatError('the index is truncated');
}

async function unpackInto(sections: Sections, bytes: ByteReader): Promise<void> {
  for (const name of STORED_SECTIONS) {
    readPlanes(await takeAll(bytes, sections[name].byteLength), sections[name], name);
  }
  sections.packedRecords.set(transposed(sections.packedRecords, sections.packedRecords.length / RECORD_WORDS));
  restorePlaces(sections);
  restoreSlots(sections);
  restoreTexts(sections, await bytes.take(sections.texts.length)); // all that is left: packed texts are shorter
}

function readPlanes(planes: Uint8Array, section: Sections[SectionName], name: SectionName): void {
  const { buffer, byteOffset, byteLength, length: n } = section;
  if (section instanceof Uint8Array) {
    section.set(planes);
  } else if (section instanceof Uint16Array) {
    for (let i = 0; i < n; i++) section[i] = planes[i]! | (planes[n + i]! << 8);
  } else {
    joinWords(planes, new Uint32Array(buffer, byteOffset, byteLength / 4), hasDifferences(name));
  }
}

function joinWords(planes: Uint8Array, words: Uint32Array, hasDifferences: boolean): void {
  const n = words.length;
  for (let i = 0, last = 0; i < n; i++) {
    const word = planes[i]! | (planes[n + i]! << 8) | (planes[2 * n + i]! << 16) | (planes[3 * n + i]! << 24);
    last = hasDifferences ? last + ((word >>> 1) ^ -(word & 1)) : word;
    words[i] = last;
  }
}

/** Writes the texts with their lengths, and offsets instead of their numbers. */
function restoreTexts({ texts, placeNames, packedRecords, ...sections }: Sections, packed: Uint8Array): void {
  const offsets = new Uint32Array(texts.length - packed.length); // a length has one byte more than TEXT_END
  let [number, start, to] = [0, 0, 2];
  for (let i = 0; i < packed.length; i++) {
    texts[to++] = packed[i]!;
    if (packed[i] !== TEXT_END) continue;
    const length = to - start - 3;
    texts[start] = length;
    texts[start + 1] = length >> 8;
    offsets[number++] = start;
    start = to - 1;
    to = start + 2;
  }
  if (number !== offsets.length || start !== texts.length) throw new IndexFormatError('the packed index is damaged');
  for (let place = 0; place < placeNames.length - 1; place++) {
    const word = place * RECORD_WORDS + SHOWN_NAME_WORD; // its distance from the main name
    packedRecords[word] = offsets[(sections.nameText[placeNames[place]!]! + packedRecords[word]!) >>> 0]!;
  }
  for (const name of TEXT_SECTIONS) {
    const section = sections[name];
    for (let i = 0; i < section.length; i++) section[i] = offsets[section[i]!]!;
  }
}

function restorePlaces(sections: Sections): void {
  const { placeType, placeLatE7, placeLngE7, placeImportance, placeAdmin2, treeIds, treeCoords } = sections;
  for (let place = 0; place < placeType.length; place++) {
    placeType[place] = readType(sections, place);
    placeLatE7[place] = readLatE7(sections, place);
    placeLngE7[place] = readLngE7(sections, place);
    placeImportance[place] = readImportance(sections, place);
    placeAdmin2[place] = readAdmin2(sections, place);
  }
  for (const [i, place] of treeIds.entries()) writeUnitVector(treeCoords, i, placeLatE7[place]!, placeLngE7[place]!);
  const { regionPlaceStart, regionPlaces } = regionPlaceSections(sections, sections.regionText.length);
  sections.regionPlaceStart.set(regionPlaceStart);
  sections.regionPlaces.set(regionPlaces);
}

/** Replaces ranks by positions. A slot's rank is the number of lower positions of its place. */
function restoreSlots(sections: Sections): void {
  const { placeSlots, slotPosting } = sections;
  const sorted = sortedSlots(sections);
  for (let place = 0; place < placeSlots.length - 1; place++) {
    const start = placeSlots[place]!;
    for (let slot = start; slot < placeSlots[place + 1]!; slot++)
      slotPosting[slot] = sorted[start + slotPosting[slot]!]!;
  }
}
