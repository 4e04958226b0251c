/** Index files on disk. A file is read into one shared buffer for all threads. */
import { isUtf8 } from 'node:buffer';
import { fstatSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { HEAD_BYTES } from 'toponym-engine/index-file/layout';
import { IndexFormatError, openIndex, parseHead, verifyChecksums } from 'toponym-engine/index-file/open-index';
import { verifyStructure } from 'toponym-engine/index-file/verify-structure';
import { closing, FileKindError, openRegularFile } from './regular-file.ts';
import { replaceFile } from './replace-file.ts';
import { runInThread, threadFile } from './thread.ts';

/** 256 MiB. One `fs.readSync` reads less than 2 GiB. */
const MAX_READ_BYTES = 1 << 28;
const READ_THREAD = threadFile('./read-index-thread', import.meta.url);
const READ_LIMITS = { maxOldGenerationSizeMb: 512 };

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

/**
 * Reads an index in a thread of its own, because the main thread of a service answers health checks and signals. Takes
 * 2 ms per MB or more. Rejects as `readIndexFile` throws.
 */
export async function readIndexInThread(file: string): Promise<SharedArrayBuffer> {
  const options = { limits: READ_LIMITS, isUnref: true, errors: [IndexFormatError] };
  return await runInThread<typeof readIndexFile>(READ_THREAD, file, options);
}

/** Throws IndexFormatError. */
export function verifyIndex(buffer: ArrayBuffer | SharedArrayBuffer): void {
  verifyChecksums(buffer, crc32);
  verifyStructure(openIndex(buffer), isUtf8);
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
