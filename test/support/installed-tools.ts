/** Installs the npm packages that only some tests need, into the cache of the tests. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withInstallLock } from '../../scripts/install-lock.js';
import { missingPackages } from '../../scripts/missing-packages.js';
import { installPackages } from '../../scripts/npm-ci.js';

/** Installs the packages of a manifest and its lock file, unless the folder has them already. */
export async function installTools(manifests: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await withInstallLock(folder, async () => {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(manifests, file), join(folder, file));
    const needs = { needsDev: false, nodePackage: undefined };
    if (missingPackages(folder, needs).length > 0) await installPackages(folder, needs);
  });
}
