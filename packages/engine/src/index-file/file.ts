/** Reads and writes index files on disk. A file is read into one shared buffer for all threads. */
import { fstatSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { closing, FileKindError, openRegularFile } from 'toponym-files/regular-file';
import { replaceFile } from 'toponym-files/replace-file';
import { HEAD_BYTES } from './layout.ts';
import { IndexFormatError, openIndex, parseHead, verifyChecksums } from './open-index.ts';
import { verifyStructure } from './verify-structure.ts';

/** 256 MiB. One `fs.readSync` reads less than 2 GiB. */
const MAX_READ_BYTES = 1 << 28;

/**
 * Remembers no verified files, because a disk can change bytes without changing the times of a file.
 * Throws IndexFormatError, or the system's error if the file cannot be read.
 */
export function readIndexFile(file: string): SharedArrayBuffer {
  try {
    using opened = closing(openRegularFile(file));
    const buffer = readWhole(opened.handle);
    verifyIndex(buffer);
    return buffer;
  } catch (error) {
    if (error instanceof FileKindError) {
      throw new IndexFormatError(`${file}: ${error.kind}, not an index file`, { cause: error });
    }
    if (!(error instanceof IndexFormatError)) throw error;
    throw new IndexFormatError(`${file}: ${error.message}`, { cause: error });
  }
}

/** Throws IndexFormatError. */
export function verifyIndex(buffer: ArrayBuffer | SharedArrayBuffer): void {
  verifyChecksums(buffer, crc32);
  verifyStructure(openIndex(buffer));
}

function readWhole(handle: number): SharedArrayBuffer {
  const { size } = fstatSync(handle);
  const head = new Uint8Array(Math.min(HEAD_BYTES, size));
  readInto(handle, head, 0);
  parseHead(head, size); // checks the head before allocating memory for the whole file
  const buffer = allocate(size);
  for (let offset = 0; offset < size; offset += MAX_READ_BYTES) {
    readInto(handle, new Uint8Array(buffer, offset, Math.min(MAX_READ_BYTES, size - offset)), offset);
  }
  return buffer;
}

function readInto(handle: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(handle, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new IndexFormatError('the file became shorter while it was read');
    done += read;
  }
}

function allocate(size: number): SharedArrayBuffer {
  try {
    return new SharedArrayBuffer(size);
  } catch (cause) {
    throw new IndexFormatError(`not enough memory for an index of ${size} bytes`, { cause });
  }
}

/** Writes or replaces a file atomically. */
export function writeIndexFile(file: string, chunks: readonly Uint8Array[]): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    // with this code, callers report it like a system error
    throw Object.assign(new Error(`${file} is a folder: name a file in it`), { code: 'EISDIR' });
  }
  replaceFile(file, chunks);
}
