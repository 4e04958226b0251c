/** Writes files under a temporary name, so that the final name has the old or the whole new file. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { createFile } from './new-file.ts';
import { closing, pathExists } from './regular-file.ts';

/** 256 MiB per call, because `fs.writeSync` accepts less than 2 GiB. */
const MAX_WRITE_BYTES = 1 << 28;

/** Creates or replaces a file. Replaces a symbolic link, not its target. */
export function replaceFile(file: string, chunks: Iterable<Uint8Array>, mode = 0o644): void {
  for (const _ of writeAndRename(file, chunks, mode));
}

/** Like `replaceFile`, but the event loop turns after each chunk, so that a signal need not wait. */
export async function replaceFileInTurns(file: string, chunks: Iterable<Uint8Array>): Promise<void> {
  for (const _ of writeAndRename(file, chunks, 0o644)) await setImmediate();
}

/** Yields after each chunk. */
function* writeAndRename(file: string, chunks: Iterable<Uint8Array>, mode: number): Generator<void> {
  const temporary = newTemporaryPath(file);
  try {
    const handle = createFile(temporary, mode);
    try {
      for (const chunk of chunks) {
        writeAll(handle, chunk);
        yield;
      }
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(dirname(file));
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += writeSync(handle, bytes, offset, Math.min(MAX_WRITE_BYTES, bytes.length - offset));
  }
}

function flushFolder(folder: string): void {
  if (process.platform === 'win32') return; // Windows cannot open folders
  try {
    flushFile(folder, 'r');
  } catch (error) {
    // some network file systems cannot open or flush folders
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Makes the system write a file to disk. Windows flushes only files that are open for writing. */
export function flushFile(path: string, flags = 'r+'): void {
  using file = closing(openSync(path, flags));
  fsyncSync(file.handle);
}

/** For files that hold secrets. */
const OWNER_ONLY = 0o600;

/** Creates an empty temporary file beside `file`, readable by its owner only, and returns its path. */
export function createPrivateFile(file: string): string {
  const temporary = newTemporaryPath(file);
  closeSync(createFile(temporary, OWNER_ONLY));
  return temporary;
}

/** Writes a whole file, readable by its owner only. Replaces an existing file and its permissions. */
export function writePrivateFile(file: string, text: string): void {
  replaceFile(file, [Buffer.from(text)], OWNER_ONLY);
}

/** Returns false if `name` is taken. The caller deletes `temporary` in any case. */
export function publishFile(temporary: string, name: string): boolean {
  try {
    // unlike a rename, a hard link never replaces a file
    linkSync(temporary, name);
  } catch {
    if (pathExists(name)) return false;
    // the file system probably has no hard links
    renameSync(temporary, name);
  }
  return true;
}

/** Only files of processes that this process cannot see become so old. */
const OLD_FILE_AGE_MS = 86_400_000;

/**
 * Returns a new name beside `file`, which no other writer uses: process ids repeat in containers and
 * on other machines that share the folder. Removes what killed processes have left for the same file.
 */
export function newTemporaryPath(file: string): string {
  removeLeftovers(file);
  const ids = `${process.pid}-${threadId}-${randomBytes(6).toString('hex')}`;
  return join(dirname(file), `${temporaryPrefix(file)}${ids}.tmp`);
}

/** Removes what killed processes have left for the same file. */
export function removeLeftovers(file: string): void {
  const prefix = temporaryPrefix(file);
  const isLeftover = (name: string) =>
    name.startsWith(prefix) ? isLeftByProcess(name.slice(prefix.length)) : isOld(join(dirname(file), name));
  removeFiles(file, isLeftover);
}

/** Removes the temporary file that a terminated thread of this process has left. */
export function removeUnfinished(file: string, thread: number): void {
  const start = `${temporaryPrefix(file)}${process.pid}-${thread}-`;
  removeFiles(file, (name) => name.startsWith(start));
}

/** Start of the name of every temporary file for `file` by a process that this one can see. */
export function temporaryPrefix(file: string): string {
  return `.${basename(file)}.${hostname()}${PROCESS_NAMESPACE}.`;
}

/** The number of the container's process ids on Linux, with a hyphen; empty elsewhere. */
const PROCESS_NAMESPACE = processNamespace();

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/^pid:\[(\d+)\]$/, '-$1');
  } catch {
    return '';
  }
}

function removeFiles(file: string, isRemovable: (name: string) => boolean): void {
  for (const name of readdirSync(dirname(file))) {
    const isTemporary = name.startsWith(`.${basename(file)}.`) && name.endsWith('.tmp');
    if (isTemporary && isRemovable(name)) rmSync(join(dirname(file), name), { force: true });
  }
}

/** A thread writes one file at a time, so a name with our own ids is from a dead process as well. */
function isLeftByProcess(ids: string): boolean {
  const [, pid, thread] = /^(\d+)-(\d+)-/.exec(ids) ?? [];
  if (pid === undefined) return false;
  const isOurs = Number(pid) === process.pid && Number(thread) === threadId;
  return isOurs || !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only tests whether the process exists
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // a process of another user
  }
}

function isOld(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < Date.now() - OLD_FILE_AGE_MS;
}
