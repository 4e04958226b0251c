/**
 * An OpenStreetMap extract (.osm.pbf): a file of blocks, each packed for itself, so that any can be read again.
 * Opening it walks over all block headers: a file that is cut off, or needs features we do not know, is refused at once.
 * Format: https://wiki.openstreetmap.org/wiki/PBF_Format
 */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { SourceError } from '../source-error.ts';
import { WireError, WireReader } from './wire-reader.ts';

export interface OsmBlock {
  /** Counts from 1. */
  readonly number: number;
  readonly offset: number;
  readonly bytes: number;
}

/** The format's own limits; a block that says more is damaged, or made to fill memory. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_BLOCK_BYTES = 32 * 2 ** 20;
const KNOWN_FEATURES: ReadonlySet<string> = new Set(['OsmSchema-V0.6', 'DenseNodes', 'HistoricalInformation']);
const PACKINGS: Readonly<Record<number, string>> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4' };

const inflateAsync = promisify(inflate);
const zstdAsync = promisify(zstdDecompress);

export class OsmFile {
  readonly label: string;
  /** Of the data, as `yyyy-mm-dd`, where the file tells it. */
  readonly date: string | undefined;
  readonly blocks: readonly OsmBlock[];
  readonly #path: string;
  #handle: FileHandle | undefined;

  private constructor(path: string, parts: { blocks: readonly OsmBlock[]; date: string | undefined }) {
    this.label = basename(path);
    this.#path = path;
    this.blocks = parts.blocks;
    this.date = parts.date;
  }

  static async open(path: string): Promise<OsmFile> {
    const label = basename(path);
    const handle = await openToRead(path);
    try {
      const [head, ...blocks] = await listBlocks(handle, label);
      if (head === undefined) throw new SourceError(`${label}: is empty`);
      const header = await readBlock(handle, head, label);
      return new OsmFile(path, { blocks, date: inBlock(label, head, () => checkHeader(header)) });
    } finally {
      await handle.close();
    }
  }

  /** Passes the unpacked block on, and adds file and block to what is wrong with it. */
  async decode<Result>(block: OsmBlock, decode: (bytes: Uint8Array) => Result): Promise<Result> {
    this.#handle ??= await openToRead(this.#path);
    const bytes = await readBlock(this.#handle, block, this.label);
    return inBlock(this.label, block, () => decode(bytes));
  }

  /** Lets go of the file until a block is read again. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

function openToRead(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((cause: Error) => {
    throw new SourceError(`${path}: cannot be read: ${cause.message}`, { cause });
  });
}

async function listBlocks(handle: FileHandle, label: string): Promise<OsmBlock[]> {
  const { size } = await handle.stat();
  const blocks: OsmBlock[] = [];
  for (let at = 0; at < size; ) {
    const place = { number: blocks.length + 1, offset: at, bytes: 0 };
    const fail = (what: string): never => inBlock(label, place, () => failWith(what));
    if (at + 4 > size) fail('the file is cut off');
    const headerBytes = (await readAt(handle, at, 4)).readUInt32BE(0);
    if (headerBytes > MAX_HEADER_BYTES) {
      fail(`its header would have ${headerBytes} bytes: this is no .osm.pbf file, or it is damaged`);
    }
    if (at + 4 + headerBytes > size) fail('the file is cut off');
    const header = await readAt(handle, at + 4, headerBytes);
    const { type, bytes } = inBlock(label, place, () => parseBlockHeader(header));
    if (bytes > MAX_BLOCK_BYTES) fail(`it would have ${bytes} bytes, more than the format allows`);
    const offset = at + 4 + headerBytes;
    if (offset + bytes > size) fail('the file is cut off');
    if (type !== (blocks.length === 0 ? 'OSMHeader' : 'OSMData')) fail(`it is of type ${JSON.stringify(type)}`);
    blocks.push({ ...place, offset, bytes });
    at = offset + bytes;
  }
  return blocks;
}

function parseBlockHeader(bytes: Uint8Array): { type: string; bytes: number } {
  const reader = new WireReader(bytes);
  const header = { type: '', bytes: 0 };
  while (reader.next()) {
    if (reader.field === 1) header.type = reader.text();
    else if (reader.field === 3) header.bytes = reader.varint();
    else reader.skip();
  }
  return header;
}

async function readBlock(handle: FileHandle, block: OsmBlock, label: string): Promise<Uint8Array> {
  const packed = await readAt(handle, block.offset, block.bytes);
  try {
    return await unpackBlock(packed);
  } catch (cause) {
    const { number, offset } = block;
    throw new SourceError(`${label}: block ${number} at byte ${offset}: ${(cause as Error).message}`, { cause });
  }
}

async function unpackBlock(packed: Uint8Array): Promise<Uint8Array> {
  const reader = new WireReader(packed);
  const limit = { maxOutputLength: MAX_BLOCK_BYTES };
  while (reader.next()) {
    if (reader.field === 1) return reader.bytes();
    if (reader.field === 3) return inflateAsync(reader.bytes(), limit);
    if (reader.field === 7) return zstdAsync(reader.bytes(), limit);
    const packing = PACKINGS[reader.field];
    if (packing !== undefined) throw new Error(`it is packed with ${packing}; pack the file with zlib or zstd instead`);
    reader.skip();
  }
  throw new Error('it holds no data');
}

/** Returns the date of the data. */
function checkHeader(bytes: Uint8Array): string | undefined {
  const reader = new WireReader(bytes);
  let date: string | undefined;
  while (reader.next()) {
    if (reader.field === 4) {
      const feature = reader.text();
      if (!KNOWN_FEATURES.has(feature)) failWith(`the file needs ${JSON.stringify(feature)}, which cannot be read`);
    } else if (reader.field === 32) {
      const seconds = reader.int64();
      if (seconds > 0 && seconds < 2 ** 36) date = new Date(seconds * 1000).toISOString().slice(0, 10);
    } else reader.skip();
  }
  return date;
}

function failWith(what: string): never {
  throw new WireError(what);
}

function inBlock<Result>(label: string, { number, offset }: OsmBlock, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    throw new SourceError(`${label}: block ${number} at byte ${offset}: ${cause.message}`, { cause });
  }
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
