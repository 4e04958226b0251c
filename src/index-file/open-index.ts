/**
 * Bytes of an index file to typed-array views over the same memory. Nothing is copied.
 * The head of the file is always checked; `verify` also checks every section's bytes.
 */
import { crc32 } from 'node:zlib';
import { TEXT_VERSION } from '../text/fold.ts';
import { IndexFormatError } from './format-error.ts';
import {
  aligned,
  ENTRY_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  type Index,
  MAGIC,
  type Meta,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type Sections,
} from './layout.ts';

export interface SectionEntry {
  readonly name: SectionName;
  readonly offset: number;
  readonly bytes: number;
  readonly checksum: number;
}

export function openIndex(buffer: SharedArrayBuffer | ArrayBuffer): Index {
  const sections = Object.fromEntries(
    readDirectory(buffer).map(({ name, offset, bytes }) => {
      const View = SECTIONS[name];
      return [name, new View(buffer as ArrayBuffer, offset, bytes / View.BYTES_PER_ELEMENT)];
    }),
  ) as unknown as Sections;
  return { ...sections, head: JSON.parse(Buffer.from(sections.meta).toString()) as Meta };
}

/** Checks every byte of the file against its checksums. Throws IndexFormatError. */
export function verifyIndex(buffer: SharedArrayBuffer | ArrayBuffer): void {
  for (const { name, offset, bytes, checksum } of readDirectory(buffer)) {
    const stored = new Uint8Array(buffer as ArrayBuffer, offset, aligned(bytes));
    if (crc32(stored) !== checksum) {
      throw new IndexFormatError(`section ${name} is damaged: its checksum does not match. Build the index anew`);
    }
  }
}

/** The sections of a file whose header and directory are whole and of this version. Throws IndexFormatError. */
export function readDirectory(buffer: SharedArrayBuffer | ArrayBuffer): SectionEntry[] {
  const file = Buffer.from(buffer as ArrayBuffer);
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, 8) !== MAGIC) {
    throw new IndexFormatError('not a Toponym index: it does not begin as one');
  }
  const version = `${file.readUInt32LE(8)}.${file.readUInt32LE(12)}`;
  const expected = `${FORMAT_VERSION}.${TEXT_VERSION}`;
  if (version !== expected) {
    throw new IndexFormatError(`index of version ${version}, this program reads ${expected}. Build the index anew`);
  }
  const count = file.readUInt32LE(16);
  const headBytes = aligned(HEADER_BYTES + count * ENTRY_BYTES);
  if (count !== SECTION_NAMES.length || file.length < headBytes) {
    throw new IndexFormatError('the directory of the index is damaged. Build the index anew');
  }
  const head = Buffer.from(file.subarray(0, headBytes));
  const checksum = head.readUInt32LE(20);
  head.writeUInt32LE(0, 20);
  if (crc32(head) !== checksum) {
    throw new IndexFormatError('the head of the index is damaged: its checksum does not match. Build the index anew');
  }
  const fileBytes = Number(head.readBigUInt64LE(24));
  if (fileBytes !== file.length) {
    throw new IndexFormatError(
      `the index is ${file.length} bytes long and should be ${fileBytes}. Build the index anew`,
    );
  }
  return SECTION_NAMES.map((name, i) => {
    const entry = HEADER_BYTES + i * ENTRY_BYTES;
    return {
      name,
      offset: Number(head.readBigUInt64LE(entry + 24)),
      bytes: Number(head.readBigUInt64LE(entry + 32)),
      checksum: head.readUInt32LE(entry + 40),
    };
  });
}
