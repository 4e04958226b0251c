/**
 * MaxMind DB files in shared memory: read once by the main thread, opened by every thread over the same bytes.
 * The files are large and few calls need them, so a service checks only their ends before it starts and reads the rest
 * while it serves. No thread ever waits for a file: `stateOf` says whether it can be used yet.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Reader, type Response } from 'maxmind';
import { checkRegularFile, openRegularFile, READ_FLAGS } from '../files/regular-file.ts';

export interface IpDatabase {
  /** For messages. */
  readonly path: string;
  readonly bytes: SharedArrayBuffer;
  /** One of PROGRESS, in 32 bits; absent where all the bytes are there. */
  readonly progress?: SharedArrayBuffer;
}

/** A file that was found to be a MaxMind DB. */
export interface CheckedIpDatabase {
  readonly database: IpDatabase;
  /** Reads all of it, beside whatever else the thread does. Throws IpDatabaseError. */
  finish(): Promise<void>;
}

/** The file cannot be read or is not a MaxMind DB. The message names it. */
export class IpDatabaseError extends Error {
  override readonly name = 'IpDatabaseError';
}

export type IpReader = Reader<Response>;

const PROGRESS = { reading: 0, whole: 1, failed: 2 } as const;
// the format says that the metadata is within the last 128 KiB
const METADATA_BYTES = 128 * 1024;
const SEPARATOR_BYTES = 16;
// many times the size of the largest files that are sold
const MAX_BYTES = 8 * 1024 ** 3;
// 16 MiB: pieces large enough that their number does not matter
const READ_BYTES = 16 * 1024 * 1024;

/** Reads the file and checks that it is a MaxMind DB. */
export function readIpDatabase(path: string): IpDatabase {
  return withFile(path, (file, size) => {
    const database = { path, bytes: new SharedArrayBuffer(size) };
    readInto(database.bytes, { from: 0, to: size, file });
    openIpReader(database);
    return database;
  });
}

/** Checks that the file is a MaxMind DB, from as little of it as can tell. */
export function checkIpDatabase(path: string): CheckedIpDatabase {
  const database = withFile(path, (file, size) => {
    const bytes = new SharedArrayBuffer(size);
    readInto(bytes, { from: Math.max(0, size - METADATA_BYTES), to: size, file });
    const treeEnd = readerOf(path, bytes).metadata.searchTreeSize;
    readInto(bytes, { from: Math.min(treeEnd, size), to: Math.min(treeEnd + SEPARATOR_BYTES, size), file });
    openIpReader({ path, bytes });
    return { path, bytes, progress: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
  });
  return { database, finish: () => finish(database) };
}

/** Whether the whole file has been read, is still being read, or could not be read. Never waits. */
export function stateOf({ progress }: IpDatabase): keyof typeof PROGRESS {
  if (progress === undefined) return 'whole';
  const state = Atomics.load(new Int32Array(progress), 0);
  return state === PROGRESS.reading ? 'reading' : state === PROGRESS.whole ? 'whole' : 'failed';
}

export function openIpReader({ path, bytes }: IpDatabase): IpReader {
  const reader = readerOf(path, bytes);
  // the format puts zero bytes after the search tree: a file cut or shifted in its middle fails here
  const { searchTreeSize } = reader.metadata;
  const separator = Buffer.from(bytes).subarray(searchTreeSize, searchTreeSize + SEPARATOR_BYTES);
  if (separator.length < SEPARATOR_BYTES || separator.some((byte) => byte !== 0)) {
    throw unusable(path, new Error('its search tree does not end where its metadata says'));
  }
  return reader;
}

function readerOf(path: string, bytes: SharedArrayBuffer): IpReader {
  try {
    return new Reader<Response>(Buffer.from(bytes));
  } catch (error) {
    throw unusable(path, error);
  }
}

async function finish({ path, bytes, progress }: Required<IpDatabase>): Promise<void> {
  const cell = new Int32Array(progress);
  try {
    await using file = await open(path, READ_FLAGS);
    checkRegularFile(await file.stat());
    for (let offset = 0; offset < bytes.byteLength; ) {
      const piece = new Uint8Array(bytes, offset, Math.min(READ_BYTES, bytes.byteLength - offset));
      const { bytesRead } = await file.read(piece, 0, piece.length, offset);
      if (bytesRead === 0) throw new Error(SHORTER);
      offset += bytesRead;
    }
    openIpReader({ path, bytes }); // the file may be another one by now
    Atomics.store(cell, 0, PROGRESS.whole);
  } catch (error) {
    Atomics.store(cell, 0, PROGRESS.failed);
    throw unreadable(path, error);
  }
}

const SHORTER = 'the file became shorter while it was read';

function withFile<T>(path: string, read: (file: number, size: number) => T): T {
  try {
    const file = openRegularFile(path);
    try {
      const { size } = fstatSync(file);
      if (size > MAX_BYTES) throw new Error(`the file has more than ${MAX_BYTES} bytes`);
      return read(file, size);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw error instanceof IpDatabaseError ? error : unreadable(path, error);
  }
}

function readInto(bytes: SharedArrayBuffer, { from, to, file }: { from: number; to: number; file: number }): void {
  for (let offset = from; offset < to; ) {
    const piece = new Uint8Array(bytes, offset, Math.min(READ_BYTES, to - offset));
    const count = readSync(file, piece, 0, piece.length, offset);
    if (count === 0) throw new Error(SHORTER);
    offset += count;
  }
}

function unreadable(path: string, error: unknown): IpDatabaseError {
  return new IpDatabaseError(`The IP database ${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
}

function unusable(path: string, error: unknown): IpDatabaseError {
  return new IpDatabaseError(
    `${path} is not a usable MaxMind DB file (${reasonOf(error)}); download it again or choose another .mmdb file.`,
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
