/**
 * Names of temporary files, which become another file when they are complete. No two writers use
 * the same name: process ids repeat in containers and on other machines that share the folder.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** Only files of processes that this process cannot see become so old. */
const OLD_FILE_AGE_MS = 86_400_000;

/** Returns a new name beside `file`. Removes what killed processes have left for the same file. */
export function newTemporaryPath(file: string): string {
  const prefix = temporaryPrefix(file);
  const isLeftover = (name: string) =>
    name.startsWith(prefix) ? isLeftByProcess(name.slice(prefix.length)) : isOld(join(dirname(file), name));
  removeFiles(file, isLeftover);
  return join(dirname(file), `${prefix}${process.pid}-${threadId}-${randomBytes(6).toString('hex')}.tmp`);
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
