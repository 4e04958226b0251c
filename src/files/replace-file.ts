/** Replaces files atomically: the final name always leads to the old or to the whole new file. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createFile } from './new-file.ts';
import { newTemporaryPath } from './temporary-file.ts';

/** 256 MiB per call, because `fs.writeSync` accepts less than 2 GiB. */
const MAX_WRITE_BYTES = 1 << 28;

/** Creates or replaces a file. Replaces a symbolic link, not its target. */
export function replaceFile(file: string, chunks: Iterable<Uint8Array>, mode = 0o644): void {
  const temporary = newTemporaryPath(file);
  try {
    writeChunks(temporary, chunks, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(dirname(file));
}

/** Like `replaceFile`, but the event loop turns after each chunk, so that a signal need not wait. */
export async function replaceFileInTurns(file: string, chunks: Iterable<Uint8Array>, mode = 0o644): Promise<void> {
  const temporary = newTemporaryPath(file);
  try {
    const handle = createFile(temporary, mode);
    try {
      for (const chunk of chunks) {
        writeAll(handle, chunk);
        await setImmediate();
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

function writeChunks(path: string, chunks: Iterable<Uint8Array>, mode: number): void {
  const handle = createFile(path, mode);
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
