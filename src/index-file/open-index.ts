/**
 * Opens the bytes of an index file as typed-array views, without copying. The head and the meta
 * section are always checked; `verifyIndex` and `verifyStructure` check the rest.
 */
import { crc32 } from 'node:zlib';
import { IndexFormatError } from './format-error.ts';
import {
  aligned,
  ENTRY_BYTES,
  HEADER_BYTES,
  type Index,
  MAGIC,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type Sections,
  VERSIONS,
} from './layout.ts';
import { parseMeta } from './meta.ts';

export interface SectionEntry {
  readonly name: SectionName;
  readonly offset: number;
  readonly bytes: number;
  readonly checksum: number;
}

/** Size of the head of an index: header, directory and padding. */
export const HEAD_BYTES = aligned(HEADER_BYTES + SECTION_NAMES.length * ENTRY_BYTES);

export function openIndex(buffer: SharedArrayBuffer | ArrayBuffer): Index {
  const sections = Object.fromEntries(
    readDirectory(buffer).map(({ name, offset, bytes }) => {
      const View = SECTIONS[name];
      return [name, new View(buffer as ArrayBuffer, offset, bytes / View.BYTES_PER_ELEMENT)];
    }),
  ) as unknown as Sections;
  return { ...sections, metadata: parseMeta(sections.meta) };
}

/** Checks every byte of the file against its checksums. Throws IndexFormatError. */
export function verifyIndex(buffer: SharedArrayBuffer | ArrayBuffer): void {
  for (const { name, offset, bytes, checksum } of readDirectory(buffer)) {
    const stored = new Uint8Array(buffer as ArrayBuffer, offset, aligned(bytes));
    if (crc32(stored) !== checksum) {
      throw new IndexFormatError(`section ${name} is damaged: its checksum does not match. Rebuild the index`);
    }
  }
}

/** Lists the sections. Throws IndexFormatError if the head is damaged or of another version. */
export function readDirectory(buffer: SharedArrayBuffer | ArrayBuffer): SectionEntry[] {
  const head = Buffer.from(buffer as ArrayBuffer, 0, Math.min(HEAD_BYTES, buffer.byteLength));
  return parseHead(head, buffer.byteLength);
}

/** Like `readDirectory`; `bytes` are the first HEAD_BYTES of the file, or all of a shorter file. */
export function parseHead(bytes: Uint8Array, fileBytes: number): SectionEntry[] {
  const head = Buffer.from(bytes); // a copy, because the checksum field is cleared
  checkHeader(head);
  const checksum = head.readUInt32LE(20);
  head.writeUInt32LE(0, 20);
  if (crc32(head) !== checksum) {
    throw new IndexFormatError('the head of the index is damaged: its checksum does not match. Rebuild the index');
  }
  const stated = Number(head.readBigUInt64LE(24));
  if (stated !== fileBytes) {
    throw new IndexFormatError(`the index is ${fileBytes} bytes long and should be ${stated}. Rebuild the index`);
  }
  const entries = SECTION_NAMES.map((name, i) => readEntry(head, name, i));
  checkSections(entries, fileBytes);
  return entries;
}

function checkHeader(head: Buffer): void {
  if (head.length < HEADER_BYTES || head.toString('latin1', 0, 8) !== MAGIC) {
    throw new IndexFormatError('not a Toponym index: it does not start with the magic bytes');
  }
  const version = `${head.readUInt32LE(8)}.${head.readUInt32LE(12)}`;
  if (version !== VERSIONS) {
    throw new IndexFormatError(`index of version ${version}, this program reads ${VERSIONS}. Rebuild the index`);
  }
  if (head.readUInt32LE(16) !== SECTION_NAMES.length || head.length < HEAD_BYTES) throw damagedDirectory();
}

function readEntry(head: Buffer, name: SectionName, i: number): SectionEntry {
  const entry = HEADER_BYTES + i * ENTRY_BYTES;
  const stored = head.toString('latin1', entry, entry + 24).replace(/\0+$/, '');
  const bytes = Number(head.readBigUInt64LE(entry + 32));
  const elementBytes = SECTIONS[name].BYTES_PER_ELEMENT;
  if (stored !== name || head.readUInt32LE(entry + 44) !== elementBytes || bytes % elementBytes !== 0) {
    throw damagedDirectory();
  }
  return { name, offset: Number(head.readBigUInt64LE(entry + 24)), bytes, checksum: head.readUInt32LE(entry + 40) };
}

/** Sections follow one another without gaps, in the order of the layout, and fill the file. */
function checkSections(entries: readonly SectionEntry[], fileBytes: number): void {
  let expected = HEAD_BYTES;
  for (const { offset, bytes } of entries) {
    if (offset !== expected) throw damagedDirectory();
    expected += aligned(bytes);
  }
  if (expected !== fileBytes) throw damagedDirectory();
}

function damagedDirectory(): IndexFormatError {
  return new IndexFormatError('the directory of the index is damaged. Rebuild the index');
}
