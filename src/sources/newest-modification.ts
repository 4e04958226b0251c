/**
 * The newest modification date in GeoNames dumps: it dates the data itself, whenever and wherever the files were copied.
 * The date is the last column of a row, so a scan of the bytes before each line end is enough.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const LF = 0x0a;
const CR = 0x0d;
const DATE_LENGTH = 'yyyy-mm-dd'.length;
const CHUNK_BYTES = 1 << 20;

/** As `yyyy-mm-dd`; `undated` when no row carries one. */
export function newestModification(paths: readonly string[]): string {
  let newest = '';
  for (const path of paths) newest = later(newest, newestIn(path));
  return newest === '' ? 'undated' : newest;
}

function newestIn(path: string): string {
  const file = openToRead(path);
  // Room before the chunk for the end of the last one, where a date may be cut in two.
  const buffer = Buffer.alloc(DATE_LENGTH + 1 + CHUNK_BYTES);
  let carried = 0;
  let newest = '';
  try {
    for (;;) {
      const read = readSync(file, buffer, carried, CHUNK_BYTES, null);
      if (read === 0) return later(newest, dateBefore(buffer, carried));
      const bytes = buffer.subarray(0, carried + read);
      for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, end + 1)) {
        newest = later(newest, dateBefore(bytes, end));
      }
      carried = Math.min(DATE_LENGTH + 1, bytes.length);
      buffer.copyWithin(0, bytes.length - carried, bytes.length);
    }
  } finally {
    closeSync(file);
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new Error(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function dateBefore(bytes: Buffer, lineEnd: number): string {
  const end = bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
  if (end < DATE_LENGTH) return '';
  const text = bytes.toString('latin1', end - DATE_LENGTH, end);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : '';
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
