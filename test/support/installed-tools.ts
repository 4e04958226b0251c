/**
 * npm packages that only some tests need. They are packages of their own (…/test/…/tools/package.json),
 * installed into the cache of the tests at first use, because they have hundreds of megabytes.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withInstallLock } from '../../scripts/install-lock.js';
import { missingPackages } from '../../scripts/missing-packages.js';
import { installPackages } from '../../scripts/npm-ci.js';
import { TEST_CACHE } from './environment.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const FOLDERS = {
  compat: 'packages/server/test/compat/tools',
  frameworks: 'test/frameworks/tools',
  openapi: 'packages/server/test/openapi/tools',
  package: 'test/package/tools',
};

export function toolsOf(name: keyof typeof FOLDERS) {
  const manifests = join(ROOT, FOLDERS[name]);
  const folder = join(TEST_CACHE, `${name}-tools`);
  const packages = join(folder, 'node_modules');
  return {
    manifests,
    packages,
    /** For `createRequire`, to import a tool. */
    manifest: join(folder, 'package.json'),
    /** The path of a command of the tools, such as `tsc`. */
    path: (command: string) => join(packages, '.bin', command),
    /** Installs the tools if they are missing or outdated. */
    install: async () => {
      mkdirSync(folder, { recursive: true });
      await withInstallLock(folder, async () => {
        const [manifest, lock] = [join(folder, 'package.json'), join(folder, 'package-lock.json')];
        // all runtimes are optional packages, which may be missing without being needed
        const isOutdated = readIfExists(lock) !== readIfExists(join(manifests, 'package-lock.json'));
        copyFileSync(join(manifests, 'package.json'), manifest);
        copyFileSync(join(manifests, 'package-lock.json'), lock);
        const needs = { needsDev: false, nodePackage: undefined };
        if (isOutdated || missingPackages(folder, needs).length > 0) await installPackages(folder, needs);
      });
    },
  };
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
