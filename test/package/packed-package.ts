/** The tarball that `npm pack` makes, and projects that install it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withInstallLock } from '../../scripts/install-lock.js';
import { ensurePage } from '../../web/build.js';
import { TEST_CACHE } from '../support/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string };

/** Builds and packs the package. Returns the path of the tarball. */
export async function packToponym(name: string): Promise<string> {
  const folder = join(TEST_CACHE, 'packed', name);
  mkdirSync(folder, { recursive: true });
  // one test file at a time writes dist/
  await withInstallLock(ROOT, async () => {
    await ensurePage(); // otherwise `npm pack` waits for the same lock to build the page
    await runCommand(ROOT, 'npm', ['pack', '--pack-destination', folder]);
  });
  return join(folder, `${MANIFEST.name}-${MANIFEST.version}.tgz`);
}

/** An empty project, removed when the test ends. Its path is as awkward as those of some users. */
export function emptyProject(context: Pick<TestContext, 'after'>): string {
  const folder = join(temporaryFolder(context), 'my projects ü 東京');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n');
  return folder;
}
