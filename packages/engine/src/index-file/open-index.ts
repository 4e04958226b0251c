/** Opens the bytes of an index file as views, without copying. Checks only the head and the meta section. */

import { crc32 } from '../collections/hash.ts';
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
      const [View] = SECTIONS[name];
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
  return readEntries(head, fileBytes);
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

/** Sections must follow one another without gaps, in layout order, and fill the file. */
function readEntries(head: DataView, fileBytes: number): SectionEntry[] {
  let end = HEAD_BYTES;
  const entries = SECTION_NAMES.map((name, i) => {
    const at = HEADER.size + i * ENTRY.size;
    const offset = Number(head.getBigUint64(at + ENTRY.offsetAt, true));
    const bytes = Number(head.getBigUint64(at + ENTRY.bytesAt, true));
    const elementBytes = head.getUint32(at + ENTRY.elementBytesAt, true);
    const isExpected =
      readAscii(head, at, ENTRY.nameSize) === name.padEnd(ENTRY.nameSize, '\0') &&
      elementBytes === SECTIONS[name][0].BYTES_PER_ELEMENT &&
      bytes % elementBytes === 0 &&
      offset === end;
    if (!isExpected) throw damagedDirectory();
    end += paddedSize(bytes);
    return { name, offset, bytes, checksum: head.getUint32(at + ENTRY.checksumAt, true) };
  });
  if (end !== fileBytes) throw damagedDirectory();
  return entries;
}

function readAscii(view: DataView, offset: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, offset, length));
}

function damagedDirectory(): IndexFormatError {
  return new IndexFormatError('the directory of the index is damaged. Rebuild the index');
}

type Check = readonly [what: string, isValid: (value: unknown) => boolean];

const STRING: Check = ['a string', (value) => typeof value === 'string'];
const COUNT: Check = ['a count', (value) => Number.isSafeInteger(value) && (value as number) >= 0];
const listOf = (what: string, pattern: RegExp): Check => [
  `a list of ${what}`,
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' && pattern.test(item)),
];
const STRINGS = listOf('strings', /^/);

/** What each field of the section `meta` must be. */
const META_FIELDS: Readonly<Record<keyof Meta, Check>> = {
  version: STRING,
  attribution: STRINGS,
  places: COUNT,
  names: COUNT,
  countries: listOf('country codes', /^[A-Z]{2}$/),
  timezones: STRINGS,
  // tags become property names, so `toString`, say, must not match
  languages: listOf('language tags', /^([A-Za-z]{2,3}([-_][A-Za-z0-9]+)*)?$/),
};

/** Parses and checks the section `meta`, which is JSON. */
function parseMeta(bytes: Uint8Array): Meta {
  const fields = parseObject(decodeUtf8(bytes));
  const entries = Object.entries(META_FIELDS).map(([name, [what, isValid]]) => {
    if (!isValid(fields[name])) throw damagedSection('meta', `${name} is not ${what}`);
    return [name, fields[name]];
  });
  return Object.fromEntries(entries) as Meta;
}

function parseObject(json: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // reported below
  }
  throw damagedSection('meta', 'it is not a JSON object');
}

/** Thrown if a file is damaged, of another version, or not an index. */
export class IndexFormatError extends Error {
  override readonly name = 'IndexFormatError';
}

export function damagedSection(section: string, problem: string): IndexFormatError {
  return new IndexFormatError(`section ${section} is damaged: ${problem}. Rebuild the index`);
}
