import { spawnSync } from 'node:child_process';
import { PROGRAM } from './environment.ts';

/** Runs the program as a user other than root, because root can read and write every file. */
export const AS_NOBODY: readonly string[] =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, PROGRAM]
    : [process.execPath, PROGRAM];

/** Why tests with AS_NOBODY are skipped, or false. */
export const skipNobody =
  spawnSync(AS_NOBODY[0] ?? '', [...AS_NOBODY.slice(1), '--version']).status === 0 ? false : 'needs setpriv';
