/** An index file with a changed section and correct checksums. */
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { aligned, ENTRY_BYTES, HEADER_BYTES, SECTION_NAMES, type SectionName } from '../../src/index-file/layout.ts';
import { readDirectory } from '../../src/index-file/open-index.ts';

const SECTION_CHECKSUM = 40;
const DIRECTORY_CHECKSUM = 20;

/** Changes a section with `forge`, corrects the checksums and overwrites the file in place. */
export function forgeSection(file: string, name: SectionName, forge: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  const entry = readDirectory(new Uint8Array(bytes).buffer).find((each) => each.name === name)!;
  forge(bytes.subarray(entry.offset, entry.offset + entry.bytes));
  const section = bytes.subarray(entry.offset, entry.offset + aligned(entry.bytes));
  const at = HEADER_BYTES + SECTION_NAMES.indexOf(name) * ENTRY_BYTES;
  bytes.writeUInt32LE(crc32(section), at + SECTION_CHECKSUM);
  const head = bytes.subarray(0, aligned(HEADER_BYTES + SECTION_NAMES.length * ENTRY_BYTES));
  head.writeUInt32LE(0, DIRECTORY_CHECKSUM);
  head.writeUInt32LE(crc32(head), DIRECTORY_CHECKSUM);
  writeFileSync(file, bytes);
}
