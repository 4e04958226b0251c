/** Replaces files atomically: the final name always leads to the old or to the whole new file. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** 256 MiB per call, because `fs.writeSync` accepts less than 2 GiB. */
const MAX_WRITE_BYTES = 1 << 28;

/** Creates or replaces a file. Replaces a symbolic link, not its target. */
export function replaceFile(file: string, chunks: Iterable<Uint8Array>, mode = 0o644): void {
  const temporary = temporaryPath(file, threadId);
  removeFilesOfDeadProcesses(file, temporary);
  try {
    writeChunks(temporary, chunks, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(dirname(file));
}

/** Removes the temporary file that a terminated thread of this process has left. */
export function removeUnfinished(file: string, thread: number): void {
  rmSync(temporaryPath(file, thread), { force: true });
}

function writeChunks(path: string, chunks: Iterable<Uint8Array>, mode: number): void {
  const handle = openSync(path, 'wx', mode);
  try {
    for (const chunk of chunks) writeAll(handle, chunk);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += writeSync(handle, bytes, offset, Math.min(MAX_WRITE_BYTES, bytes.length - offset));
  }
}

function temporaryPath(file: string, thread: number): string {
  return join(dirname(file), `${temporaryPrefix(file)}${process.pid}-${thread}.tmp`);
}

/** Has the host name, because process ids are per machine, and machines may share the folder. */
function temporaryPrefix(file: string): string {
  return `.${basename(file)}.${hostname()}.`;
}

/** Also removes `ownTemporary`, which a dead process with our process and thread ids has left. */
function removeFilesOfDeadProcesses(file: string, ownTemporary: string): void {
  const prefix = temporaryPrefix(file);
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(prefix)) continue;
    const path = join(dirname(file), name);
    const [, pid] = /^(\d+)-\d+\.tmp$/.exec(name.slice(prefix.length)) ?? [];
    if (path === ownTemporary || (pid !== undefined && !isRunning(Number(pid)))) rmSync(path, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // signal 0 only tests whether the process exists
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // a process of another user
  }
}

function flushFolder(folder: string): void {
  if (process.platform === 'win32') return; // Windows cannot open folders
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // some network file systems cannot flush folders
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(handle);
  }
}
