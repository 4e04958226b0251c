/**
 * Reads the entries of a zip archive as streams. Nothing is written to disk, so names such as
 * `../x` are harmless. Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, createInflateRaw } from 'node:zlib';
import { closing } from 'toponym-files/regular-file';

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Offset of the entry's local header. */
  readonly offset: number;
}

const METHODS = { stored: 0, deflated: 8 } as const;
const SIGNATURES = {
  directoryEntry: 'PK\x01\x02',
  localHeader: 'PK\x03\x04',
  endRecord: 'PK\x05\x06',
  zip64Locator: 'PK\x06\x07',
};
const END_RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_END_RECORD_BYTES = 56;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_FIELD_ID = 1;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const UNPACKED_CHUNK_BYTES = 1 << 18;
/** Enough for about 100,000 entries. */
const MAX_DIRECTORY_BYTES = 16 * 2 ** 20;
const INVALID_DIRECTORY = 'the archive is damaged: its directory is invalid';

/** Leaves out folders. Callers add the path to error messages. */
export function listZip(path: string): ZipEntry[] {
  using file = closing(openSync(path, 'r'));
  try {
    const { directory, statedCount } = readDirectory(file.handle);
    const entries: ZipEntry[] = [];
    let at = 0;
    let count = 0; // with folders
    for (; at < directory.length; count++) {
      if (!hasSignature(directory, at, SIGNATURES.directoryEntry)) throw new Error(INVALID_DIRECTORY);
      const nameEnd = at + DIRECTORY_ENTRY_BYTES + directory.readUInt16LE(at + 28);
      const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
      const commentEnd = extraEnd + directory.readUInt16LE(at + 32);
      const name = directory.toString('utf8', at + DIRECTORY_ENTRY_BYTES, nameEnd);
      const isEncrypted = (directory.readUInt16LE(at + 8) & 1) !== 0;
      if (isEncrypted) throw new Error(`${name} is encrypted; unpack it first`);
      const isFolder = name.endsWith('/');
      if (!isFolder) entries.push(parseEntry(name, directory.subarray(at), directory.subarray(nameEnd, extraEnd)));
      at = commentEnd;
    }
    if (at !== directory.length || count !== statedCount) throw new Error(INVALID_DIRECTORY);
    rejectOverlappingEntries(entries);
    return entries;
  } catch (cause) {
    // a read past the end of the directory
    if (cause instanceof RangeError) throw new Error(INVALID_DIRECTORY, { cause });
    throw cause;
  }
}

/** Yields unpacked bytes. Callers add the name of the entry to error messages. */
export async function* readZipEntry(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = dataStart(path, entry);
  const statedBytes = entry.unpackedBytes;
  // createReadStream cannot read a range of 0 bytes
  if (entry.packedBytes === 0) {
    if (statedBytes > 0) throw new Error(`contains 0 bytes, but the directory states ${statedBytes}`);
    return;
  }
  const packed = createReadStream(path, { start, end: start + entry.packedBytes - 1 });
  const isStored = entry.method === METHODS.stored;
  const unpacked = isStored ? packed : packed.pipe(createInflateRaw({ chunkSize: UNPACKED_CHUNK_BYTES }));
  // pipe() does not pass errors on
  packed.once('error', (error) => unpacked.destroy(error));
  let bytes = 0;
  let crc = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      crc = crc32(chunk, crc);
      if (bytes > statedBytes) throw new Error(`contains more than the ${statedBytes} bytes that the directory states`);
      yield chunk;
    }
  } finally {
    packed.destroy();
  }
  if (bytes !== statedBytes) throw new Error(`contains ${bytes} bytes, but the directory states ${statedBytes}`);
  if (crc !== entry.crc) throw new Error('does not match its checksum: the archive is damaged');
}

/** The directory is found through the end record, which only a comment may follow. */
function readDirectory(file: number): { directory: Buffer; statedCount: number } {
  const { size } = fstatSync(file);
  const tailBytes = ZIP64_LOCATOR_BYTES + END_RECORD_BYTES + MAX_COMMENT_BYTES;
  const tail = readAt(file, Math.max(0, size - tailBytes), size);
  const endRecordAt = tail.lastIndexOf(SIGNATURES.endRecord);
  if (endRecordAt === -1 || endRecordAt + END_RECORD_BYTES > tail.length)
    throw new Error('the archive has no directory: it is truncated or not a zip file');
  let statedCount = tail.readUInt16LE(endRecordAt + 10);
  let bytes = tail.readUInt32LE(endRecordAt + 12);
  let offset = tail.readUInt32LE(endRecordAt + 16);
  const locatorAt = endRecordAt - ZIP64_LOCATOR_BYTES;
  if (locatorAt >= 0 && hasSignature(tail, locatorAt, SIGNATURES.zip64Locator)) {
    const zip64RecordAt = Number(tail.readBigUInt64LE(locatorAt + 8));
    const zip64Record = readAt(file, zip64RecordAt, zip64RecordAt + ZIP64_END_RECORD_BYTES);
    statedCount = Number(zip64Record.readBigUInt64LE(32));
    bytes = Number(zip64Record.readBigUInt64LE(40));
    offset = Number(zip64Record.readBigUInt64LE(48));
  }
  if (offset + bytes > size) throw new Error('the archive is truncated: its directory is incomplete');
  if (bytes > MAX_DIRECTORY_BYTES)
    throw new Error(`its directory has ${bytes} bytes: the maximum is ${MAX_DIRECTORY_BYTES}`);
  return { directory: readAt(file, offset, offset + bytes), statedCount };
}

function parseEntry(name: string, directoryEntry: Buffer, extra: Buffer): ZipEntry {
  const method = directoryEntry.readUInt16LE(10);
  if (method !== METHODS.stored && method !== METHODS.deflated) {
    throw new Error(`${name} uses compression method ${method}; only stored and deflated entries are supported`);
  }
  // 0xffffffff stands for the next 64-bit number in the zip64 field
  let zip64At = findZip64Field(extra);
  const readNumber = (at: number): number => {
    const number = directoryEntry.readUInt32LE(at);
    if (number !== 0xffffffff || zip64At === -1) return number;
    const number64 = extra.readBigUInt64LE(zip64At);
    zip64At += 8;
    return Number(number64);
  };
  const crc = directoryEntry.readUInt32LE(16);
  // these calls must keep the order of the zip64 field
  const unpackedBytes = readNumber(24);
  const packedBytes = readNumber(20);
  return { name, method, crc, unpackedBytes, packedBytes, offset: readNumber(42) };
}

/** Offset of the first number in the zip64 field, or -1. */
function findZip64Field(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === ZIP64_FIELD_ID) return at + 4;
  }
  return -1;
}

/** A small archive with overlapping entries can unpack to petabytes. */
function rejectOverlappingEntries(entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (entry.offset < end)
      throw new Error(`${entry.name} overlaps another entry: the archive is damaged or malicious`);
    // a lower bound without the name and extra fields
    end = entry.offset + LOCAL_HEADER_BYTES + entry.packedBytes;
  }
}

function dataStart(path: string, entry: ZipEntry): number {
  using file = closing(openSync(path, 'r'));
  const header = readAt(file.handle, entry.offset, entry.offset + LOCAL_HEADER_BYTES);
  if (!hasSignature(header, 0, SIGNATURES.localHeader))
    throw new Error('has no header at the offset that the directory states');
  return entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function hasSignature(buffer: Buffer, at: number, signature: string): boolean {
  return buffer.toString('latin1', at, at + signature.length) === signature;
}

function readAt(file: number, start: number, end: number): Buffer {
  const buffer = Buffer.alloc(end - start);
  if (readSync(file, buffer, 0, buffer.length, start) < buffer.length) throw new Error('the archive is truncated');
  return buffer;
}
