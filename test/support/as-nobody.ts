import { spawnSync } from 'node:child_process';
import { PROGRAM } from './environment.ts';

const BECOME_NOBODY =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env'];

/** Runs the program as a user other than root, because root can read and write every file. */
export const AS_NOBODY: readonly string[] = [...BECOME_NOBODY, process.execPath, PROGRAM];

const [command = '', ...words] = BECOME_NOBODY;
const canReadProgram = spawnSync(command, [...words, 'test', '-r', PROGRAM, '-a', '-x', process.execPath]).status === 0;

/** Why tests with AS_NOBODY are skipped, or false. */
export const skipNobody = canReadProgram ? false : 'needs setpriv, and a clone that every user can read';
