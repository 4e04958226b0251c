/** Free space on the disk of the state folder. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isIndexUrl } from '../../datasets/index-choice.ts';
import { copyPath } from '../../serve/remote/index-download.ts';
import { formatMegabytes } from '../print/facts.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';

/** The key store needs room for its log. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;
const COMFORTABLE_BYTES = 256 * 1024 * 1024;
const ADVICE = 'Free some space on that disk, or move the state folder to another one and name it with --state.';

/** The part of `fs.StatsFs` that is used here. */
export interface DiskSpace {
  readonly bavail: number;
  readonly bsize: number;
  readonly files: number;
  readonly ffree: number;
}

export function checkDisk(
  { settings, state }: DoctorContext,
  readSpace: (path: string) => DiskSpace = statfsSync,
): Verdict[] {
  const folder = existingFolder(state.path);
  const { bavail, bsize, files, ffree } = readSpace(folder);
  const freeBytes = bavail * bsize;
  // some file systems count no files
  if (files > 0 && ffree === 0) return [problem(`the disk of ${folder} has no room for another file`, ADVICE)];
  const message = `${formatMegabytes(freeBytes)} free on the disk of ${folder}`;
  if (freeBytes < MIN_FREE_BYTES) return [problem(`${message}: too little to store keys`, ADVICE)];
  const downloadBytes = copyBytes(settings.index, state.indexFolder);
  if (freeBytes < downloadBytes + MIN_FREE_BYTES) {
    return [warning(`${message}: a new version of the index needs ${formatMegabytes(downloadBytes)}`, ADVICE)];
  }
  return [freeBytes < COMFORTABLE_BYTES ? warning(message, ADVICE) : ok(message)];
}

/** The folder, or the nearest one around it that exists. */
export function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path));
}

/** A new version of an index at a URL is about as large as the copy; 0 if there is none. */
function copyBytes(index: string | undefined, indexFolder: string): number {
  if (index === undefined || !isIndexUrl(index)) return 0;
  return statSync(copyPath(new URL(index), indexFolder), { throwIfNoEntry: false })?.size ?? 0;
}
