/**
 * Runs the program so that file modes bind it. Root keeps its user id, so that it can read a clone in
 * any folder of its own, but loses the privilege to ignore the modes of files.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './environment.ts';

const DROP_PRIVILEGES = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Command and arguments; arguments of the program follow. */
export const UNPRIVILEGED: readonly string[] = [...DROP_PRIVILEGES, process.execPath, PROGRAM];

/** Why tests with UNPRIVILEGED are skipped, or false. */
export const skipUnprivileged = canDropPrivileges() ? false : 'needs setpriv, because root may read every file';

/** Tries to read a file of mode 0, because a container may forbid root to drop privileges. */
function canDropPrivileges(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-test-'));
  const file = join(folder, 'unreadable');
  writeFileSync(file, '', { mode: 0 });
  const [command = '', ...words] = [...DROP_PRIVILEGES, 'sh', '-c', 'test -r "$0" || exit 42', file];
  const { status } = spawnSync(command, words);
  rmSync(folder, { recursive: true });
  return status === 42;
}

/** Why a test that runs the program as another user is skipped, or false. */
export function skipUser(uid: number): string | false {
  if (process.getuid?.() !== 0) return 'only root can become another user';
  const { status } = spawnSync('test', ['-r', PROGRAM, '-a', '-x', process.execPath], { uid, gid: uid });
  return status === 0 ? false : 'needs a clone that every user can read';
}
