/**
 * Reads the entries of a zip archive as streams, stored or deflated, including zip64. Nothing is
 * written to disk, so entry names are harmless. Sizes and checksums must match the archive's
 * directory.
 */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, createInflateRaw } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Offset of the entry's local header. */
  readonly offset: number;
}

const METHODS = { stored: 0, deflated: 8 } as const;
const END_RECORD_BYTES = 22;
const ZIP64_LOCATOR_BYTES = 20;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
/** GeoNames archives have up to two entries; this allows for many country files in one archive. */
const MAX_DIRECTORY_BYTES = 16 * 2 ** 20;

/** Lists the files of the archive, without folders. */
export function listZip(path: string): ZipEntry[] {
  const file = openSync(path, 'r');
  try {
    const directory = readDirectory(file);
    const entries: ZipEntry[] = [];
    for (let at = 0; at + DIRECTORY_ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === 0x02014b50; ) {
      const nameEnd = at + DIRECTORY_ENTRY_BYTES + directory.readUInt16LE(at + 28);
      const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
      const name = directory.toString('utf8', at + DIRECTORY_ENTRY_BYTES, nameEnd);
      if ((directory.readUInt16LE(at + 8) & 1) !== 0) throw new Error(`${name} is encrypted; unpack it first`);
      if (!name.endsWith('/'))
        entries.push(parseEntry(name, directory.subarray(at), directory.subarray(nameEnd, extraEnd)));
      at = extraEnd + directory.readUInt16LE(at + 32);
    }
    rejectOverlappingEntries(entries);
    return entries;
  } catch (cause) {
    if (cause instanceof RangeError) throw new Error('the archive is damaged: its directory is invalid', { cause });
    throw cause;
  } finally {
    closeSync(file);
  }
}

export async function* readZipEntry(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = dataStart(path, entry);
  if (entry.packedBytes === 0) return;
  const packed = createReadStream(path, { start, end: start + entry.packedBytes - 1 });
  const isStored = entry.method === METHODS.stored;
  const unpacked = isStored ? packed : packed.pipe(createInflateRaw({ chunkSize: 1 << 18 }));
  packed.once('error', (error) => unpacked.destroy(error));
  let bytes = 0;
  let crc = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      crc = crc32(chunk, crc);
      if (bytes > entry.bytes) throw new Error(`contains more than the ${entry.bytes} bytes that the directory states`);
      yield chunk;
    }
  } finally {
    packed.destroy();
  }
  if (bytes !== entry.bytes) throw new Error(`contains ${bytes} bytes, but the directory states ${entry.bytes}`);
  if (crc !== entry.crc) throw new Error('does not match its checksum: the archive is damaged');
}

function readDirectory(file: number): Buffer {
  const { size } = fstatSync(file);
  const tail = readAt(file, Math.max(0, size - END_RECORD_BYTES - ZIP64_LOCATOR_BYTES - 0xffff), size);
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1 || end + END_RECORD_BYTES > tail.length)
    throw new Error('the archive has no directory: it is truncated or not a zip file');
  let bytes = tail.readUInt32LE(end + 12);
  let offset = tail.readUInt32LE(end + 16);
  const locator = end - ZIP64_LOCATOR_BYTES;
  if (locator >= 0 && tail.toString('latin1', locator, locator + 4) === 'PK\x06\x07') {
    const end64 = Number(tail.readBigUInt64LE(locator + 8));
    const record = readAt(file, end64, end64 + 56);
    bytes = Number(record.readBigUInt64LE(40));
    offset = Number(record.readBigUInt64LE(48));
  }
  if (offset + bytes > size) throw new Error('the archive is truncated: its directory is incomplete');
  if (bytes > MAX_DIRECTORY_BYTES)
    throw new Error(`its directory has ${bytes} bytes: the maximum is ${MAX_DIRECTORY_BYTES}`);
  return readAt(file, offset, offset + bytes);
}

function parseEntry(name: string, header: Buffer, extra: Buffer): ZipEntry {
  const method = header.readUInt16LE(10);
  if (method !== METHODS.stored && method !== METHODS.deflated) {
    throw new Error(`${name} uses compression method ${method}; only stored and deflated entries are supported`);
  }
  // in zip64, a field of all ones is replaced by the next 64-bit number in extra field 1
  let next = zip64Start(extra);
  const wide = (narrow: number): number => {
    if (narrow !== 0xffffffff || next === -1) return narrow;
    next += 8;
    return Number(extra.readBigUInt64LE(next - 8));
  };
  const bytes = wide(header.readUInt32LE(24));
  const packedBytes = wide(header.readUInt32LE(20));
  return { name, method, crc: header.readUInt32LE(16), bytes, packedBytes, offset: wide(header.readUInt32LE(42)) };
}

function zip64Start(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) return at + 4;
  }
  return -1;
}

/** Throws if entries overlap: a small archive with overlapping entries can unpack to petabytes. */
function rejectOverlappingEntries(entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (entry.offset < end)
      throw new Error(`${entry.name} overlaps another entry: the archive is damaged or malicious`);
    end = entry.offset + LOCAL_HEADER_BYTES + entry.packedBytes;
  }
}

function dataStart(path: string, entry: ZipEntry): number {
  const file = openSync(path, 'r');
  try {
    const header = readAt(file, entry.offset, entry.offset + LOCAL_HEADER_BYTES);
    if (header.toString('latin1', 0, 4) !== 'PK\x03\x04')
      throw new Error('has no header at the offset that the directory states');
    return entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, start: number, end: number): Buffer {
  const buffer = Buffer.alloc(end - start);
  if (readSync(file, buffer, 0, buffer.length, start) < buffer.length) throw new Error('the archive is truncated');
  return buffer;
}
