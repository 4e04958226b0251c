/**
 * Finds the input files of a source in files, folders and zip archives, and reads them as streams
 * of uncompressed bytes. A small file that unpacks to a huge one (a decompression bomb) is an error.
 */

import { createReadStream, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { errorReason } from 'toponym-files/errors/errors';
import { readStart } from 'toponym-files/regular-file';
import { SourceError } from '../report.ts';
import { listZip, readZipEntry } from './zip.ts';

export interface InputFile {
  /** For messages: `AD.txt.gz` or `AD.zip/AD.txt`. */
  readonly label: string;
  /** `AD.txt`, without a compression extension. */
  readonly name: string;
  /** In an archive, the path of the archive, `/` and the name of the entry. */
  readonly path: string;
  /** May be called again for another pass. */
  read(): AsyncIterable<Buffer>;
}

const CHUNK_BYTES = 1 << 18;

type Compression = 'gzip' | 'zstd' | 'zip';
/** First bytes of compressed files, in hexadecimal. */
const SIGNATURES: readonly (readonly [Compression, string])[] = [
  ['gzip', '1f8b'],
  ['zstd', '28b52ffd'],
  ['zip', '504b0304'],
  ['zip', '504b0506'], // an archive without entries
];
const COMPRESSION_BY_EXTENSION: Readonly<Record<string, Compression>> = { gz: 'gzip', zst: 'zstd', zip: 'zip' };

/** A folder stands for its files, sorted by name, without hidden files and subfolders. */
export function findInputs(paths: readonly string[]): InputFile[] {
  return paths.flatMap((path) => {
    if (!readStats(path).isDirectory()) return inputsOf(path);
    const names = readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort();
    return names.flatMap((name) => inputsOf(join(path, name)));
  });
}

export function uncompressedInput(path: string): InputFile {
  const name = basename(path);
  return { label: name, name, path, read: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) };
}

function inputsOf(path: string): InputFile[] {
  const name = basename(path);
  const compression = detectCompression(path);
  const [, extension = ''] = /\.(gz|zst|zip)$/i.exec(name) ?? [];
  const expected = COMPRESSION_BY_EXTENSION[extension.toLowerCase()];
  if (expected !== undefined && expected !== compression)
    throw new SourceError(`${path}: is not a ${expected} file, or is empty`);
  if (compression === 'zip') return archiveInputs(path);
  if (compression === undefined) return [uncompressedInput(path)];
  const read = () => limitUnpackedSize(decompress(path, compression), statSync(path).size);
  return [{ label: name, name: name.replace(/\.(gz|zst)$/i, ''), path, read }];
}

function archiveInputs(path: string): InputFile[] {
  try {
    return listZip(path).map((entry) => ({
      label: `${basename(path)}/${entry.name}`,
      name: basename(entry.name),
      path: `${path}/${entry.name}`,
      read: () => limitUnpackedSize(readZipEntry(path, entry), entry.packedBytes),
    }));
  } catch (cause) {
    throw new SourceError(`${path}: ${errorReason(cause)}`, { cause });
  }
}

async function* decompress(path: string, compression: 'gzip' | 'zstd'): AsyncGenerator<Buffer> {
  const compressed = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const options = { chunkSize: CHUNK_BYTES };
  const decompressor: Transform = compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
  // pipe() does not pass errors on
  compressed.once('error', (error) => decompressor.destroy(error));
  try {
    yield* compressed.pipe(decompressor) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new Error(`the ${compression} data is damaged or truncated (${errorReason(cause)})`, { cause });
  } finally {
    compressed.destroy();
  }
}

function detectCompression(path: string): Compression | undefined {
  const start = readStart(path, 4).toString('hex');
  return SIGNATURES.find(([, signature]) => start.startsWith(signature))?.[0];
}

function readStats(path: string) {
  try {
    return statSync(path);
  } catch (cause) {
    throw new SourceError(`${path}: cannot be read: ${errorReason(cause)}`, { cause });
  }
}

/** GeoNames dumps compress 4:1 to 8:1, NDJSON up to 20:1, one repeated byte 1,032:1. */
const MAX_RATIO = 200;
/** Up to this size, any ratio is harmless. */
const MIN_SUSPECT_BYTES = 16 * 2 ** 20;
/** The largest real file, allCountries.txt, has 1.7 GB. */
const MAX_UNPACKED_BYTES = 64 * 2 ** 30;

/** Throws if the chunks exceed a limit. Callers add the file to the message. */
async function* limitUnpackedSize(chunks: AsyncIterable<Buffer>, packedBytes: number): AsyncGenerator<Buffer> {
  let unpackedBytes = 0;
  for await (const chunk of chunks) {
    unpackedBytes += chunk.length;
    if (unpackedBytes > MIN_SUSPECT_BYTES && unpackedBytes > packedBytes * MAX_RATIO) {
      throw new Error(`unpacks to over ${MAX_RATIO} times its ${packedBytes} bytes, which no real data does`);
    }
    if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Error(`unpacks to over ${MAX_UNPACKED_BYTES} bytes`);
    yield chunk;
  }
}
