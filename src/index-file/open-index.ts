/** Opens the bytes of an index file as views, without copying. Checks only the head and the meta section. */
import { crc32 } from '../collections/hash.ts';
import { PlainError } from '../errors/plain-error.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import {
  ENTRY,
  HEAD_BYTES,
  HEADER,
  INDEX_VERSION,
  type Index,
  MAGIC,
  type Meta,
  paddedSize,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type Sections,
} from './layout.ts';

export interface SectionEntry {
  readonly name: SectionName;
  readonly offset: number;
  readonly bytes: number; // without padding
  readonly checksum: number; // of the bytes followed by the padding
}

type ChecksumOf = (bytes: Uint8Array) => number;

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

/**
 * Checks every byte of the file. Node.js callers pass its own CRC-32 for large files, which takes a
 * sixth of the time. Throws IndexFormatError.
 */
export function verifyChecksums(buffer: SharedArrayBuffer | ArrayBuffer, checksumOf: ChecksumOf = crc32): void {
  for (const { name, offset, bytes, checksum } of readDirectory(buffer)) {
    const section = new Uint8Array(buffer as ArrayBuffer, offset, paddedSize(bytes));
    if (checksumOf(section) !== checksum) throw damagedSection(name, 'its checksum does not match');
  }
}

/** Checks the head. Throws IndexFormatError. */
export function readDirectory(buffer: SharedArrayBuffer | ArrayBuffer): SectionEntry[] {
  const head = new Uint8Array(buffer as ArrayBuffer, 0, Math.min(HEAD_BYTES, buffer.byteLength));
  return parseHead(head, buffer.byteLength);
}

/** Takes the first HEAD_BYTES of a file, or all bytes of a shorter file. */
export function parseHead(headBytes: Uint8Array, fileBytes: number): SectionEntry[] {
  const copy = headBytes.slice(); // because the checksum field is cleared
  const head = new DataView(copy.buffer);
  checkHeader(head);
  const checksum = head.getUint32(HEADER.headChecksumAt, true);
  head.setUint32(HEADER.headChecksumAt, 0);
  if (crc32(copy) !== checksum) {
    throw new IndexFormatError('the head of the index is damaged: its checksum does not match. Rebuild the index');
  }
  const statedBytes = Number(head.getBigUint64(HEADER.fileBytesAt, true));
  if (statedBytes !== fileBytes) {
    throw new IndexFormatError(`the index is ${fileBytes} bytes long and should be ${statedBytes}. Rebuild the index`);
  }
  const entries = SECTION_NAMES.map((name, i) => readEntry(head, name, i));
  checkSections(entries, fileBytes);
  return entries;
}

function checkHeader(head: DataView): void {
  if (head.byteLength < HEADER.size || readAscii(head, 0, MAGIC.length) !== MAGIC) {
    const isGzip = head.byteLength > 1 && head.getUint16(0) === 0x1f8b;
    if (isGzip) throw new IndexFormatError('a compressed index, which only browsers read. Build one with --out');
    throw new IndexFormatError('not a Toponym index: it does not start with the magic bytes');
  }
  const version = `${head.getUint32(HEADER.formatVersionAt, true)}.${head.getUint32(HEADER.textVersionAt, true)}`;
  if (version !== INDEX_VERSION) {
    throw new IndexFormatError(`index of version ${version}, this program reads ${INDEX_VERSION}. Rebuild the index`);
  }
  const sectionCount = head.getUint32(HEADER.sectionCountAt, true);
  if (sectionCount !== SECTION_NAMES.length || head.byteLength < HEAD_BYTES) throw damagedDirectory();
}

function readEntry(head: DataView, name: SectionName, i: number): SectionEntry {
  const entryStart = HEADER.size + i * ENTRY.size;
  const storedName = readAscii(head, entryStart, ENTRY.nameSize).replace(/\0+$/, '');
  const offset = Number(head.getBigUint64(entryStart + ENTRY.offsetAt, true));
  const bytes = Number(head.getBigUint64(entryStart + ENTRY.bytesAt, true));
  const checksum = head.getUint32(entryStart + ENTRY.checksumAt, true);
  const elementBytes = head.getUint32(entryStart + ENTRY.elementBytesAt, true);
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

function readAscii(view: DataView, offset: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, offset, length));
}

function damagedDirectory(): IndexFormatError {
  return new IndexFormatError('the directory of the index is damaged. Rebuild the index');
}

const COUNTRY_CODE = /^[A-Z]{2}$/;
/** Tags become property names, so `toString`, say, must not match. */
const LANGUAGE_TAG = /^([A-Za-z]{2,3}([-_][A-Za-z0-9]+)*)?$/;

/** Parses and checks the section `meta`, which is JSON. */
function parseMeta(bytes: Uint8Array): Meta {
  const fields = parseObject(decodeUtf8(bytes));
  return {
    version: readString(fields, 'version'),
    attribution: readStrings(fields, 'attribution'),
    places: readCount(fields, 'places'),
    names: readCount(fields, 'names'),
    countries: readStrings(fields, 'countries', COUNTRY_CODE),
    timezones: readStrings(fields, 'timezones'),
    languages: readStrings(fields, 'languages', LANGUAGE_TAG),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(json: string): Fields {
  try {
    const value = JSON.parse(json) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // reported below
  }
  throw damagedSection('meta', 'it is not a JSON object');
}

function readString(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw damagedSection('meta', `${name} is not a string`);
  return value;
}

function readCount(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw damagedSection('meta', `${name} is not a count`);
  }
  return value;
}

function readStrings(fields: Fields, name: string, pattern?: RegExp): string[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw damagedSection('meta', `${name} is not a list`);
  return value.map((item: unknown) => {
    if (typeof item === 'string' && (pattern === undefined || pattern.test(item))) return item;
    throw damagedSection('meta', `${name} contains ${JSON.stringify(item)}`);
  });
}

/** Thrown if a file is damaged, of another version, or not an index. */
export class IndexFormatError extends PlainError {
  override readonly name = 'IndexFormatError';
}

export function damagedSection(section: string, problem: string): IndexFormatError {
  return new IndexFormatError(`section ${section} is damaged: ${problem}. Rebuild the index`);
}
