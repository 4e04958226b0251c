/** A folder in which commands run as in a clone whose packages are installed, and can leave files. */
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEFT_OUT = new Set(['.git', 'state', 'dist', 'release']);

/** Returns the folder, which has links to all files of the project. It is removed when the test ends. */
export function projectClone(context: Pick<TestContext, 'after'>): string {
  const folder = temporaryFolder(context);
  for (const name of readdirSync(ROOT)) {
    if (!LEFT_OUT.has(name)) symlinkSync(join(ROOT, name), join(folder, name));
  }
  return folder;
}
