/**
 * MaxMind DB files in shared memory: read once by the main thread, opened by every thread over the same bytes.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Reader, type Response } from 'maxmind';

export interface IpDatabase {
  /** For messages. */
  readonly path: string;
  readonly bytes: SharedArrayBuffer;
}

/** The file cannot be read or is not a MaxMind DB. The message names it. */
export class IpDatabaseError extends Error {
  override readonly name = 'IpDatabaseError';
}

export type IpReader = Reader<Response>;

/** Reads the file and checks that it is a MaxMind DB. */
export function readIpDatabase(path: string): IpDatabase {
  const database = { path, bytes: readShared(path) };
  openIpReader(database);
  return database;
}

export function openIpReader(database: IpDatabase): IpReader {
  const bytes = Buffer.from(database.bytes);
  try {
    const reader = new Reader<Response>(bytes);
    checkSeparator(bytes, reader.metadata.searchTreeSize);
    return reader;
  } catch (error) {
    throw new IpDatabaseError(
      `${database.path} is not a usable MaxMind DB file (${reasonOf(error)}); download it again or choose another .mmdb file.`,
      { cause: error },
    );
  }
}

/** The format puts 16 zero bytes after the search tree: a file cut or shifted in its middle fails here. */
function checkSeparator(bytes: Buffer, searchTreeSize: number): void {
  const separator = bytes.subarray(searchTreeSize, searchTreeSize + 16);
  if (separator.length < 16 || separator.some((byte) => byte !== 0)) {
    throw new Error('its search tree does not end where its metadata says');
  }
}

// 1 GiB: one read may not be longer than 2 GiB - 1
const MAX_READ_BYTES = 2 ** 30;

function readShared(path: string): SharedArrayBuffer {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = new SharedArrayBuffer(fstatSync(file).size);
      let offset = 0;
      while (offset < bytes.byteLength) {
        const chunk = new Uint8Array(bytes, offset, Math.min(MAX_READ_BYTES, bytes.byteLength - offset));
        const count = readSync(file, chunk);
        if (count === 0) throw new Error('the file became shorter while it was read');
        offset += count;
      }
      return bytes;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new IpDatabaseError(`The IP database ${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
