/**
 * Opens and reads files that are named by settings. Anything but a regular file is refused without reading it: a pipe
 * without a writer would block the thread for good, and a device may never end.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';

/** What was found is not a file. The message is the end of a sentence: "a pipe, not a file". */
export class FileKindError extends Error {
  override readonly name = 'FileKindError';
  /** Such as "a pipe". */
  readonly kind: string;

  constructor(kind: string) {
    super(`${kind}, not a file`);
    this.kind = kind;
  }
}

// absent on Windows
const NONBLOCK = constants.O_NONBLOCK ?? 0;
/** Should the file have become a pipe since it was checked, opening it does not wait for a writer. */
export const READ_FLAGS = constants.O_RDONLY | NONBLOCK;
const CHUNK_BYTES = 64 * 1024;

/** Returns a descriptor for reading, which the caller closes. Throws FileKindError or the system's error. */
export function openRegularFile(path: string): number {
  checkRegularFile(statSync(path));
  const file = openSync(path, READ_FLAGS);
  try {
    checkRegularFile(fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Throws FileKindError. */
export function checkRegularFile(stats: Stats): void {
  if (!stats.isFile()) throw new FileKindError(kindOf(stats));
}

/** The text of the file in UTF-8. Also throws if it has more than `maxBytes`. */
export function readTextFile(path: string, maxBytes: number): string {
  const file = openRegularFile(path);
  try {
    const chunks: Buffer[] = [];
    // the size that the system tells is not relied on: the file may grow, and files of /proc have none
    for (let total = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const count = readSync(file, chunk, 0, chunk.length, null);
      if (count === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(chunk.subarray(0, count));
      total += count;
      if (total > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`);
    }
  } finally {
    closeSync(file);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
