/** Encodes sections as the bytes of an index file. The same sections always give the same bytes. */
import { crc32 } from 'node:zlib';
import { TEXT_VERSION } from '../text/fold.ts';
import {
  aligned,
  ENTRY_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  SECTION_NAMES,
  SECTIONS,
  type Sections,
} from './layout.ts';

/** Returns the file as consecutive chunks, to avoid a copy in one large buffer. */
export function encodeIndex(sections: Sections): Uint8Array[] {
  const directoryBytes = SECTION_NAMES.length * ENTRY_BYTES;
  const head = Buffer.alloc(aligned(HEADER_BYTES + directoryBytes));
  const chunks: Uint8Array[] = [head];
  let offset = head.length;
  SECTION_NAMES.forEach((name, i) => {
    const array = sections[name];
    const bytes = padded(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    const entry = HEADER_BYTES + i * ENTRY_BYTES;
    head.write(name, entry, 24, 'latin1');
    head.writeBigUInt64LE(BigInt(offset), entry + 24);
    head.writeBigUInt64LE(BigInt(array.byteLength), entry + 32);
    head.writeUInt32LE(crc32Of(bytes), entry + 40);
    head.writeUInt32LE(SECTIONS[name].BYTES_PER_ELEMENT, entry + 44);
    chunks.push(...bytes);
    offset += aligned(array.byteLength);
  });
  head.write(MAGIC, 0, 'latin1');
  head.writeUInt32LE(FORMAT_VERSION, 8);
  head.writeUInt32LE(TEXT_VERSION, 12);
  head.writeUInt32LE(SECTION_NAMES.length, 16);
  head.writeBigUInt64LE(BigInt(offset), 24);
  head.writeUInt32LE(crc32(head), 20);
  return chunks;
}

/** A section and its padding of zeros. The checksum covers both. */
function padded(bytes: Uint8Array): Uint8Array[] {
  const padding = aligned(bytes.length) - bytes.length;
  return padding === 0 ? [bytes] : [bytes, new Uint8Array(padding)];
}

function crc32Of(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => crc32(chunk, sum), 0);
}
