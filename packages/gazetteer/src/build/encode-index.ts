/** Encodes sections as the bytes of an index file. */
import { crc32 } from 'node:zlib';
import {
  ENTRY,
  FORMAT_VERSION,
  HEAD_BYTES,
  HEADER,
  MAGIC,
  paddedSize,
  SECTION_NAMES,
  SECTIONS,
  type Sections,
  TEXT_VERSION,
} from 'toponym-engine/index-file/layout';

/** Returns consecutive chunks, to avoid a copy in one large buffer. */
export function encodeIndex(sections: Sections): Uint8Array[] {
  const head = Buffer.alloc(HEAD_BYTES);
  const chunks: Uint8Array[] = [head];
  let offset = HEAD_BYTES;
  SECTION_NAMES.forEach((name, i) => {
    const array = sections[name];
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const padding = new Uint8Array(paddedSize(bytes.length) - bytes.length);
    const checksum = crc32(padding, crc32(bytes));
    const entryStart = HEADER.size + i * ENTRY.size;
    head.write(name, entryStart, ENTRY.nameSize, 'latin1');
    head.writeBigUInt64LE(BigInt(offset), entryStart + ENTRY.offsetAt);
    head.writeBigUInt64LE(BigInt(bytes.length), entryStart + ENTRY.bytesAt);
    head.writeUInt32LE(checksum, entryStart + ENTRY.checksumAt);
    head.writeUInt32LE(SECTIONS[name][0].BYTES_PER_ELEMENT, entryStart + ENTRY.elementBytesAt);
    chunks.push(bytes, padding);
    offset += bytes.length + padding.length;
  });
  head.write(MAGIC, 0, 'latin1');
  head.writeUInt32LE(FORMAT_VERSION, HEADER.formatVersionAt);
  head.writeUInt32LE(TEXT_VERSION, HEADER.textVersionAt);
  head.writeUInt32LE(SECTION_NAMES.length, HEADER.sectionCountAt);
  head.writeBigUInt64LE(BigInt(offset), HEADER.fileBytesAt);
  // the checksum covers the whole head, with 0 in its own field
  head.writeUInt32LE(crc32(head), HEADER.headChecksumAt);
  return chunks;
}
