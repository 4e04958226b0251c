/**
 * What all test processes of one run share: made by the first process that needs it, in a folder that
 * `scripts/test.ts` removes at the end. A file that runs without that script has a folder of its own.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withInstallLock } from '../../scripts/install-lock.js';

/**
 * Returns the folder `name` of this run. The first caller's `make` fills it; the others wait. If
 * `make` fails, the next caller tries again.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(runFolder(), name);
  const lock = `${folder}.lock`;
  mkdirSync(lock, { recursive: true });
  const makeOnce = async () => {
    if (existsSync(folder)) return;
    const unfinished = mkdtempSync(`${folder}.`);
    await make(unfinished);
    renameSync(unfinished, folder);
  };
  await withInstallLock(lock, makeOnce, `make ${name}`);
  return folder;
}

let ownFolder: string | undefined;

function runFolder(): string {
  if (process.env.TOPONYM_TEST_RUN !== undefined) return process.env.TOPONYM_TEST_RUN;
  if (ownFolder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'toponym-test-run-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    ownFolder = made;
  }
  return ownFolder;
}
