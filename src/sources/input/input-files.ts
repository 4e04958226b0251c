/**
 * The files a source is read from: as named, in a folder, in a zip archive, plain or packed (gzip, Zstandard).
 * What a file is packed with is told by its first bytes; reading it is always a stream of plain bytes.
 */
import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { SourceError } from '../source-error.ts';
import { limitUnpacked } from './unpack-limit.ts';
import { listZip, readZipEntry, type ZipEntry } from './zip.ts';

export interface InputFile {
  /** For messages: the file's name, within an archive `AD.zip/AD.txt`. */
  readonly label: string;
  /** Without what tells the packing: `AD.txt` for `AD.txt.gz`. */
  readonly name: string;
  /** As given, with the entry's name behind it for an archive. */
  readonly path: string;
  /** May be called again for another pass. */
  read(): AsyncIterable<Buffer>;
}

/** Few awaits, little memory. */
const CHUNK_BYTES = 1 << 18;

type Packing = 'gzip' | 'zstd' | 'zip';
const MAGIC: readonly (readonly [Packing, string])[] = [
  ['gzip', '1f8b'],
  ['zstd', '28b52ffd'],
  ['zip', '504b0304'],
  ['zip', '504b0506'],
];
const EXTENSIONS: Readonly<Record<string, Packing>> = { gz: 'gzip', zst: 'zstd', zip: 'zip' };

/** Files in folders are taken in the order of their names, folders in them are not entered. */
export function findInputs(paths: readonly string[]): InputFile[] {
  return paths.flatMap((path) => {
    if (!statOf(path).isDirectory()) return openInput(path);
    const names = readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort();
    return names.flatMap((name) => openInput(join(path, name)));
  });
}

/** A file that is known to be plain. */
export function plainInput(path: string): InputFile {
  const name = basename(path);
  return { label: name, name, path, read: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) };
}

function openInput(path: string): InputFile[] {
  const name = basename(path);
  const packing = packingOf(path);
  const claimed = EXTENSIONS[/\.(gz|zst|zip)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (claimed !== undefined && claimed !== packing)
    throw new SourceError(`${path}: is no ${claimed} file, or is empty`);
  if (packing === 'zip') return openArchive(path);
  if (packing === undefined) return [plainInput(path)];
  const read = () => limitUnpacked(unpack(path, packing), statSync(path).size);
  return [{ label: name, name: name.replace(/\.(gz|zst)$/i, ''), path, read }];
}

function openArchive(path: string): InputFile[] {
  const read = (entry: ZipEntry) => limitUnpacked(readZipEntry(path, entry), entry.packedBytes);
  try {
    return listZip(path).map((entry) => ({
      label: `${basename(path)}/${entry.name}`,
      name: basename(entry.name),
      path: `${path}/${entry.name}`,
      read: () => read(entry),
    }));
  } catch (cause) {
    throw new SourceError(`${path}: ${(cause as Error).message}`, { cause });
  }
}

async function* unpack(path: string, packing: 'gzip' | 'zstd'): AsyncGenerator<Buffer> {
  const packed = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const options = { chunkSize: CHUNK_BYTES };
  const unpacker: Transform = packing === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
  packed.once('error', (error) => unpacker.destroy(error));
  try {
    yield* packed.pipe(unpacker) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new Error(`the ${packing} data is damaged or cut off (${(cause as Error).message})`, { cause });
  } finally {
    packed.destroy();
  }
}

function packingOf(path: string): Packing | undefined {
  const start = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return MAGIC.find(([, magic]) => start.toString('hex').startsWith(magic))?.[0];
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (cause) {
    throw new SourceError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}
