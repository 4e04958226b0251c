/**
 * Index files on disk: the only file here that touches it. Reading gives one shared buffer for all threads;
 * writing never leaves a half-written file under the final name.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { IndexFormatError } from './format-error.ts';
import { verifyIndex } from './open-index.ts';

/** fs.readSync takes at most 2 GiB at a time. */
const READ_BYTES = 1 << 28;

/** Reads and verifies an index file. Throws IndexFormatError naming the file; a missing file is the system's error. */
export function readIndexFile(file: string): SharedArrayBuffer {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const buffer = new SharedArrayBuffer(size);
    for (let offset = 0; offset < size; ) {
      const view = new Uint8Array(buffer, offset, Math.min(READ_BYTES, size - offset));
      const read = readSync(handle, view, 0, view.length, offset);
      if (read === 0) throw new IndexFormatError(`the file became shorter while it was read`);
      offset += read;
    }
    verifyIndex(buffer);
    return buffer;
  } catch (error) {
    if (!(error instanceof IndexFormatError)) throw error;
    throw new IndexFormatError(`${file}: ${error.message}`, { cause: error });
  } finally {
    closeSync(handle);
  }
}

/** Writes beside the file, flushes, renames, flushes the folder: afterwards the file is the old one or the new one. */
export function writeIndexFile(file: string, pieces: readonly Uint8Array[]): void {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${process.pid}.tmp`);
  try {
    const handle = openSync(temporary, 'w', 0o644);
    try {
      for (const piece of pieces) writeAll(handle, piece);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(folder);
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += writeSync(handle, bytes, offset, Math.min(READ_BYTES, bytes.length - offset));
  }
}

function flushFolder(folder: string): void {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
