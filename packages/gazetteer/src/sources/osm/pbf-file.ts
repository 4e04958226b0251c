/**
 * Reads OpenStreetMap extracts (.osm.pbf), which consist of separately compressed blocks.
 * Format: https://wiki.openstreetmap.org/wiki/PBF_Format
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { errorReason } from 'toponym-files/errors/errors';
import { checkRegularFile } from 'toponym-files/regular-file';
import { SourceError } from '../report.ts';
import { WireError, WireReader } from './wire-reader.ts';

export interface OsmBlock {
  /** From 1. Block 1 is the header of the file. */
  readonly number: number;
  /** Offset of the block's data in the file. */
  readonly offset: number;
  readonly packedBytes: number;
}

// limits that the format sets
const MAX_BLOCK_HEADER_BYTES = 64 * 1024;
const MAX_BLOCK_BYTES = 32 * 2 ** 20;
const SUPPORTED_FEATURES: ReadonlySet<string> = new Set(['OsmSchema-V0.6', 'DenseNodes', 'HistoricalInformation']);
const DATA_FIELD = { uncompressed: 1, zlib: 3, zstd: 7 } as const;
const UNSUPPORTED_COMPRESSIONS: Readonly<Record<number, string>> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4' };
/** In the year 4147. Later dates are ignored as damage. */
const MAX_DATE_SECONDS = 2 ** 36;

const inflateAsync = promisify(inflate);
const zstdAsync = promisify(zstdDecompress);

export type OsmFile = Awaited<ReturnType<typeof openOsmFile>>;

/** Reads all block headers. Throws if the file is truncated or requires unsupported features. */
export async function openOsmFile(path: string) {
  const label = basename(path);
  let handle: FileHandle | undefined = await openFile(path);
  /** Unpacks a block and passes its bytes to `parse`. Errors name the file and the block. */
  const decode = async <Result>(block: OsmBlock, parse: (bytes: Uint8Array) => Result): Promise<Result> => {
    handle ??= await openFile(path);
    const bytes = await readBlock(handle, block, label);
    return withPosition(label, block, () => parse(bytes));
  };
  /** Closes the file until the next `decode`, which opens it again. */
  const close = async (): Promise<void> => {
    const opened = handle;
    handle = undefined;
    await opened?.close();
  };
  try {
    const [headerBlock, ...dataBlocks] = await listBlocks(handle, label);
    if (headerBlock === undefined) throw new SourceError(`${label}: is empty`);
    const date = await decode(headerBlock, parseFileDate);
    return { label, date, dataBlocks, decode, close };
  } finally {
    await close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    checkRegularFile(await stat(path));
    return await open(path, 'r');
  } catch (cause) {
    throw new SourceError(`${path}: cannot be read: ${errorReason(cause)}`, { cause });
  }
}

async function listBlocks(handle: FileHandle, label: string): Promise<OsmBlock[]> {
  const { size } = await handle.stat();
  const blocks: OsmBlock[] = [];
  // a block is the size of its header (4 bytes), the header and the data
  for (let at = 0; at < size; ) {
    const number = blocks.length + 1;
    const fail = (problem: string) => blockError(label, { number, offset: at }, problem);
    if (at + 4 > size) throw fail('the file is truncated');
    const headerBytes = (await readAt(handle, at, 4)).readUInt32BE(0);
    if (headerBytes > MAX_BLOCK_HEADER_BYTES) {
      throw fail(`its header claims ${headerBytes} bytes: this is not an .osm.pbf file, or it is damaged`);
    }
    const offset = at + 4 + headerBytes;
    if (offset > size) throw fail('the file is truncated');
    const header = await readAt(handle, at + 4, headerBytes);
    const { type, packedBytes } = withPosition(label, { number, offset: at }, () => parseBlockHeader(header));
    if (packedBytes > MAX_BLOCK_BYTES) throw fail(`it claims ${packedBytes} bytes: the maximum is ${MAX_BLOCK_BYTES}`);
    if (offset + packedBytes > size) throw fail('the file is truncated');
    const expectedType = number === 1 ? 'OSMHeader' : 'OSMData';
    if (type !== expectedType) throw fail(`unexpected type ${JSON.stringify(type)}`);
    blocks.push({ number, offset, packedBytes });
    at = offset + packedBytes;
  }
  return blocks;
}

function parseBlockHeader(bytes: Uint8Array): { type: string; packedBytes: number } {
  const reader = new WireReader(bytes);
  const header = { type: '', packedBytes: 0 };
  while (reader.next()) {
    if (reader.field === 1) header.type = reader.text();
    else if (reader.field === 3) header.packedBytes = reader.varint();
    else reader.skip();
  }
  return header;
}

async function readBlock(handle: FileHandle, block: OsmBlock, label: string): Promise<Uint8Array> {
  const packed = await readAt(handle, block.offset, block.packedBytes);
  try {
    return await unpackBlock(packed);
  } catch (cause) {
    throw blockError(label, block, (cause as Error).message, { cause });
  }
}

async function unpackBlock(packed: Uint8Array): Promise<Uint8Array> {
  const reader = new WireReader(packed);
  const limit = { maxOutputLength: MAX_BLOCK_BYTES };
  while (reader.next()) {
    if (reader.field === DATA_FIELD.uncompressed) return reader.bytes();
    if (reader.field === DATA_FIELD.zlib) return inflateAsync(reader.bytes(), limit);
    if (reader.field === DATA_FIELD.zstd) return zstdAsync(reader.bytes(), limit);
    const compression = UNSUPPORTED_COMPRESSIONS[reader.field];
    if (compression !== undefined)
      throw new Error(`it is compressed with ${compression}; only zlib and zstd are supported`);
    reader.skip();
  }
  throw new Error('it contains no data');
}

/** Returns yyyy-mm-dd. Throws if the file requires unsupported features. */
function parseFileDate(bytes: Uint8Array): string | undefined {
  const reader = new WireReader(bytes);
  let date: string | undefined;
  while (reader.next()) {
    if (reader.field === 4) {
      const requiredFeature = reader.text();
      if (!SUPPORTED_FEATURES.has(requiredFeature))
        throw new WireError(`the file requires ${JSON.stringify(requiredFeature)}, which is not supported`);
    } else if (reader.field === 32) {
      const seconds = reader.int64();
      if (seconds > 0 && seconds < MAX_DATE_SECONDS) date = new Date(seconds * 1000).toISOString().slice(0, 10);
    } else reader.skip();
  }
  return date;
}

type BlockPosition = Pick<OsmBlock, 'number' | 'offset'>;

function withPosition<Result>(label: string, position: BlockPosition, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    throw blockError(label, position, cause.message, { cause });
  }
}

function blockError(label: string, { number, offset }: BlockPosition, problem: string, options?: ErrorOptions) {
  return new SourceError(`${label}: block ${number} at byte ${offset}: ${problem}`, options);
}

/** Returns fewer bytes than `length` if the file ends earlier. */
async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
