/** Opens files that users choose. Refuses pipes and devices, which may block a thread forever. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';

/** The path is not a regular file. */
export class FileKindError extends Error {
  override readonly name = 'FileKindError';
  /** With an article: "a pipe". */
  readonly kind: string;

  constructor(kind: string) {
    super(`${kind}, not a file`);
    this.kind = kind;
  }
}

/** Flags for `open`. With O_NONBLOCK (absent on Windows) it does not wait for a pipe's writer. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 64 * 1024;

/** Opens a file for reading; the caller closes it. Throws FileKindError or the system's error. */
export function openRegularFile(path: string): number {
  checkRegularFile(statSync(path));
  const file = openSync(path, READ_FLAGS);
  try {
    checkRegularFile(fstatSync(file)); // the file may have been replaced since the first check
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

export function checkRegularFile(stats: Stats): void {
  if (!stats.isFile()) throw new FileKindError(describeKind(stats));
}

/** Closes a file at the end of the scope: `using file = closing(openSync(path, 'r'))`. */
export function closing(handle: number): Disposable & { readonly handle: number } {
  return { handle, [Symbol.dispose]: () => closeSync(handle) };
}

/** Reads a UTF-8 file. Throws if the file is larger than `maxBytes`. */
export function readTextFile(path: string, maxBytes: number): string {
  using file = closing(openRegularFile(path));
  const chunks: Buffer[] = [];
  // the reported size is not used: the file may grow, and files in /proc report 0
  for (let total = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readSync(file.handle, chunk, 0, chunk.length, null);
    if (count === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(chunk.subarray(0, count));
    total += count;
    if (total > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`);
  }
}

/** Reads the first bytes of a file, all bytes of a shorter one. */
export function readStart(path: string, bytes: number): Buffer {
  const start = Buffer.alloc(bytes);
  using file = closing(openSync(path, 'r'));
  return start.subarray(0, readSync(file.handle, start, 0, bytes, 0));
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

/** Whether anything is at this path; unlike `existsSync`, true for a link without a target. */
export function pathExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false; // below a file
    throw error;
  }
}
