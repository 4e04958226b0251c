/**
 * Remembers which index files were verified, so that each is verified once and not at every start. A
 * file counts as the same while its inode, size, times and head are the same: whatever changes its
 * bytes changes the time of its last change, which no program can set.
 */
import { fstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { replaceFile } from '../files/replace-file.ts';

const MAX_REMEMBERED = 20;
/** A file this new may change again without a change of its times, which some systems round. */
const MIN_AGE_MS = 3000;

export class VerifiedFiles {
  readonly #path: string;

  /** Remembers the files in a folder that only the user of the program should be able to write. */
  constructor(folder: string) {
    this.#path = join(folder, 'verified-indexes'); // a file a line, the last verified first
  }

  has(stamp: string): boolean {
    return this.#read().includes(stamp);
  }

  /** Does nothing if the file was changed a moment ago, or if nothing can be written. */
  add(stamp: string, changedMs: number): void {
    if (Date.now() - changedMs < MIN_AGE_MS) return;
    const stamps = [stamp, ...this.#read().filter((other) => other !== stamp)].slice(0, MAX_REMEMBERED);
    try {
      replaceFile(this.#path, [Buffer.from(`${stamps.join('\n')}\n`)]);
    } catch {} // the file is verified again next time
  }

  #read(): string[] {
    try {
      return readFileSync(this.#path, 'utf8').trimEnd().split('\n');
    } catch {
      return [];
    }
  }
}

/** What an open file must have in common with a verified one to be the same. */
export function stampOf(handle: number, head: Uint8Array): { readonly stamp: string; readonly changedMs: number } {
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = fstatSync(handle, { bigint: true });
  return { stamp: [dev, ino, size, mtimeNs, ctimeNs, crc32(head)].join(' '), changedMs: Number(ctimeMs) };
}
