/** A small disk of its own, which can be full or read-only. Only root can mount one. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import type { FaultRun } from './scenario.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk to the last byte. */
  fill(): void;
  empty(): void;
  setReadOnly(isReadOnly: boolean): void;
}

/** Returns the disk, or the reason why there is none. It is unmounted after the scenario. */
export function mountSmallDisk(run: FaultRun, size = '8m'): SmallDisk | string {
  if (process.getuid?.() !== 0) return 'only root can mount a small disk';
  const folder = temporaryFolder(run);
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) return `a small disk cannot be mounted here: ${stderr.trim()}`;
  run.after(() => spawnSync('umount', ['--lazy', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => fillDisk(filler),
    empty: () => rmSync(filler),
    setReadOnly: (isReadOnly) => {
      const remount = spawnSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder], { encoding: 'utf8' });
      if (remount.status !== 0) throw new Error(`the disk cannot be mounted again: ${remount.stderr}`);
    },
  };
}

function fillDisk(path: string): void {
  for (const bytes of [1024 * 1024, 4096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || !existsSync(path)) throw error;
    }
  }
}
