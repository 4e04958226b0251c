import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TransferFault } from './download-error.ts';

/** Left free for other files on the disk, such as the key store. */
const RESERVED_BYTES = 16 * 1024 * 1024;

/** Throws TransferFault if the disk of `path` has no room for `neededBytes` more. */
export async function checkFreeSpace(path: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  const freeBytes = bavail * bsize;
  // some file systems do not know their free space and report 0
  if (freeBytes === 0 || freeBytes >= neededBytes + RESERVED_BYTES) return;
  const needs = neededBytes === 0 ? 'less than the' : `and the download needs ${neededBytes} bytes and a`;
  const reason = `the disk of ${dirname(path)} has ${freeBytes} bytes free, ${needs} reserve of ${RESERVED_BYTES}`;
  throw new TransferFault(reason, { dropsPart: true });
}
