/** Clones in which the commands of a page run, with the packages that `npm start` installs and no others. */
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../package/run-command.ts';
import { oncePerRun } from '../support/once-per-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LEFT_OUT = new Set(
  ['.git', 'node_modules', 'state', 'dist', 'release', 'packed'].map((name) => join(ROOT, name)),
);

/** A folder with links to all files of a fresh clone, in which commands can leave files. It is removed when the test ends. */
export async function freshClone(context: Pick<TestContext, 'after'>): Promise<string> {
  const clone = await oncePerRun('clone', async (folder) => {
    const filter = (path: string) => !LEFT_OUT.has(path) && !path.endsWith('/node_modules');
    cpSync(ROOT, folder, { recursive: true, filter });
    await runCommand(folder, process.execPath, ['scripts/setup.js']);
  });
  const folder = temporaryFolder(context);
  for (const name of readdirSync(clone)) symlinkSync(join(clone, name), join(folder, name));
  return folder;
}
