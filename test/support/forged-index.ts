/** An index file with a changed section and correct checksums. */
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  ENTRY,
  HEAD_BYTES,
  HEADER,
  paddedSize,
  SECTION_NAMES,
  type SectionName,
} from 'toponym-engine/index-file/layout';
import { readDirectory } from 'toponym-engine/index-file/open-index';

/** Changes a section with `forge`, corrects the checksums and overwrites the file in place. */
export function forgeSection(file: string, name: SectionName, forge: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  const entry = readDirectory(new Uint8Array(bytes).buffer).find((each) => each.name === name)!;
  forge(bytes.subarray(entry.offset, entry.offset + entry.bytes));
  const section = bytes.subarray(entry.offset, entry.offset + paddedSize(entry.bytes));
  const at = HEADER.size + SECTION_NAMES.indexOf(name) * ENTRY.size;
  bytes.writeUInt32LE(crc32(section), at + ENTRY.checksumAt);
  const head = bytes.subarray(0, HEAD_BYTES);
  head.writeUInt32LE(0, HEADER.headChecksumAt);
  head.writeUInt32LE(crc32(head), HEADER.headChecksumAt);
  writeFileSync(file, bytes);
}
