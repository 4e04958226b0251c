/**
 * Index files on disk: the only file here that touches it. Reading gives one shared buffer for all threads;
 * writing never leaves a half-written file under the final name.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import { FileKindError, openRegularFile } from '../files/regular-file.ts';
import { IndexFormatError } from './format-error.ts';
import { HEAD_BYTES, openIndex, parseHead, verifyIndex } from './open-index.ts';
import { verifyStructure } from './verify/verify-structure.ts';

/** fs.readSync takes at most 2 GiB at a time. */
const READ_BYTES = 1 << 28;

export interface ReadOptions {
  /**
   * This program wrote the file where only its user can write: checksums are enough. It saves a third of the time to read
   * the embedded index at every start.
   */
  readonly isOwn?: boolean;
}

/**
 * Reads an index file and checks it whole: size and version before it is read, then checksums and structure. Throws
 * IndexFormatError naming the file; a missing file is the system's error.
 */
export function readIndexFile(file: string, { isOwn = false }: ReadOptions = {}): SharedArrayBuffer {
  try {
    const handle = openRegularFile(file);
    try {
      const buffer = readWhole(handle);
      verifyIndex(buffer);
      if (!isOwn) verifyStructure(openIndex(buffer));
      return buffer;
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof FileKindError) {
      throw new IndexFormatError(`${file}: ${error.kind}, not an index file`, { cause: error });
    }
    if (!(error instanceof IndexFormatError)) throw error;
    throw new IndexFormatError(`${file}: ${error.message}`, { cause: error });
  }
}

function readWhole(handle: number): SharedArrayBuffer {
  const { size } = fstatSync(handle);
  const head = new Uint8Array(Math.min(HEAD_BYTES, size));
  readInto(handle, head, 0);
  parseHead(head, size); // before the memory for the whole file is taken
  const buffer = allocate(size);
  for (let offset = 0; offset < size; offset += READ_BYTES) {
    readInto(handle, new Uint8Array(buffer, offset, Math.min(READ_BYTES, size - offset)), offset);
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
    throw new IndexFormatError(`there is no memory for an index of ${size} bytes`, { cause });
  }
}

export function writeIndexFile(file: string, pieces: readonly Uint8Array[]): void {
  replaceFile(file, pieces);
}

/**
 * Writes beside the file, flushes, renames, flushes the folder: afterwards the file is the old one or the new one. What
 * a process that was killed meanwhile leaves behind is removed the next time.
 */
export function replaceFile(file: string, pieces: Iterable<Uint8Array>): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    // with a code, as the errors of the system have
    throw Object.assign(new Error(`${file} is a folder: name a file in it`), { code: 'EISDIR' });
  }
  removeAbandoned(file);
  const temporary = temporaryPath(file, threadId);
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
  flushFolder(path.dirname(file));
}

/** Removes what a thread of this process has left behind that was terminated while it wrote the file. */
export function removeUnfinished(file: string, thread: number): void {
  rmSync(temporaryPath(file, thread), { force: true });
}

/** One name for each thread that may write; after a restart under the same number it is simply used again. */
function temporaryPath(file: string, thread: number): string {
  return path.join(path.dirname(file), `${temporaryPrefix(file)}${process.pid}-${thread}.tmp`);
}

/** Process numbers mean something on one machine only, and the folder may be shared. */
function temporaryPrefix(file: string): string {
  return `.${path.basename(file)}.${hostname()}.`;
}

/** What writers that were killed have left behind. */
function removeAbandoned(file: string): void {
  const folder = path.dirname(file);
  const prefix = temporaryPrefix(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const [, pid] = /^(\d+)-\d+\.tmp$/.exec(name.slice(prefix.length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
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
