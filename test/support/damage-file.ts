/** Changes a byte of a file in place, as a failing disk does: size, inode and times stay. */
import { closeSync, openSync, readSync, statSync, utimesSync, writeSync } from 'node:fs';

export function flipByte(path: string, position: number): void {
  const { atime, mtime } = statSync(path);
  const handle = openSync(path, 'r+');
  const byte = new Uint8Array(1);
  readSync(handle, byte, 0, 1, position);
  byte[0]! ^= 1;
  writeSync(handle, byte, 0, 1, position);
  closeSync(handle);
  utimesSync(path, atime, mtime);
}
