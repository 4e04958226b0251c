/**
 * Opens the bytes of an index file as typed-array views, without copying. Opening checks only the
 * head and the meta section.
 */
import { crc32 } from 'node:zlib';
import { damagedSection, IndexFormatError } from './format-error.ts';
import {
  ENTRY,
  HEAD_BYTES,
  HEADER,
  INDEX_VERSION,
  type Index,
  MAGIC,
  paddedSize,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type Sections,
} from './layout.ts';
import { parseMeta } from './meta.ts';

export interface SectionEntry {
  readonly name: SectionName;
  readonly offset: number;
  readonly bytes: number; // without padding
  readonly checksum: number; // of the bytes followed by the padding
}

/** Throws IndexFormatError. */
export function openIndex(buffer: SharedArrayBuffer | ArrayBuffer): Index {
  const sections = Object.fromEntries(
    readDirectory(buffer).map(({ name, offset, bytes }) => {
      const View = SECTIONS[name];
      return [name, new View(buffer as ArrayBuffer, offset, bytes / View.BYTES_PER_ELEMENT)];
    }),
  ) as unknown as Sections;
  return { ...sections, metadata: parseMeta(sections.meta) };
}

/** Checks every byte of the file. Throws IndexFormatError. */
export function verifyChecksums(buffer: SharedArrayBuffer | ArrayBuffer): void {
  for (const { name, offset, bytes, checksum } of readDirectory(buffer)) {
    const section = new Uint8Array(buffer as ArrayBuffer, offset, paddedSize(bytes));
    if (crc32(section) !== checksum) throw damagedSection(name, 'its checksum does not match');
  }
}

/** Checks the head. Throws IndexFormatError. */
export function readDirectory(buffer: SharedArrayBuffer | ArrayBuffer): SectionEntry[] {
  const head = Buffer.from(buffer as ArrayBuffer, 0, Math.min(HEAD_BYTES, buffer.byteLength));
  return parseHead(head, buffer.byteLength);
}

/** Takes the first HEAD_BYTES of a file, or all bytes of a shorter file. */
export function parseHead(headBytes: Uint8Array, fileBytes: number): SectionEntry[] {
  const head = Buffer.from(headBytes); // a copy, because the checksum field is cleared
  checkHeader(head);
  const checksum = head.readUInt32LE(HEADER.headChecksumAt);
  head.writeUInt32LE(0, HEADER.headChecksumAt);
  if (crc32(head) !== checksum) {
    throw new IndexFormatError('the head of the index is damaged: its checksum does not match. Rebuild the index');
  }
  const statedBytes = Number(head.readBigUInt64LE(HEADER.fileBytesAt));
  if (statedBytes !== fileBytes) {
    throw new IndexFormatError(`the index is ${fileBytes} bytes long and should be ${statedBytes}. Rebuild the index`);
  }
  const entries = SECTION_NAMES.map((name, i) => readEntry(head, name, i));
  checkSections(entries, fileBytes);
  return entries;
}

function checkHeader(head: Buffer): void {
  if (head.length < HEADER.size || head.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new IndexFormatError('not a Toponym index: it does not start with the magic bytes');
  }
  const version = `${head.readUInt32LE(HEADER.formatVersionAt)}.${head.readUInt32LE(HEADER.textVersionAt)}`;
  if (version !== INDEX_VERSION) {
    throw new IndexFormatError(`index of version ${version}, this program reads ${INDEX_VERSION}. Rebuild the index`);
  }
  const sectionCount = head.readUInt32LE(HEADER.sectionCountAt);
  if (sectionCount !== SECTION_NAMES.length || head.length < HEAD_BYTES) throw damagedDirectory();
}

function readEntry(head: Buffer, name: SectionName, i: number): SectionEntry {
  const entryStart = HEADER.size + i * ENTRY.size;
  const storedName = head.toString('latin1', entryStart, entryStart + ENTRY.nameSize).replace(/\0+$/, '');
  const offset = Number(head.readBigUInt64LE(entryStart + ENTRY.offsetAt));
  const bytes = Number(head.readBigUInt64LE(entryStart + ENTRY.bytesAt));
  const checksum = head.readUInt32LE(entryStart + ENTRY.checksumAt);
  const elementBytes = head.readUInt32LE(entryStart + ENTRY.elementBytesAt);
  const isExpected = storedName === name && elementBytes === SECTIONS[name].BYTES_PER_ELEMENT;
  if (!isExpected || bytes % elementBytes !== 0) throw damagedDirectory();
  return { name, offset, bytes, checksum };
}

/** Throws unless sections follow one another without gaps, in layout order, and fill the file. */
function checkSections(entries: readonly SectionEntry[], fileBytes: number): void {
  let expectedOffset = HEAD_BYTES;
  for (const { offset, bytes } of entries) {
    if (offset !== expectedOffset) throw damagedDirectory();
    expectedOffset += paddedSize(bytes);
  }
  if (expectedOffset !== fileBytes) throw damagedDirectory();
}

function damagedDirectory(): IndexFormatError {
  return new IndexFormatError('the directory of the index is damaged. Rebuild the index');
}
