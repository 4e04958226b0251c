import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../package/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface LockedPackage {
  readonly version: string;
  /** Where the package is: a folder for a link. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

const root = fileURLToPath(new URL('../..', import.meta.url));

for (const folder of ['.', 'web']) {
  const file = join(folder, 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { packages: LockedPackages };

  test(`npm ci accepts ${file}, with and without development packages`, async (context) => {
    const clone = temporaryFolder(context);
    for (const path of [
      'package.json',
      file,
      'packages/client/package.json',
      'scripts/packaged-node',
      'web/package.json',
    ]) {
      cpSync(join(root, path), join(clone, path), { recursive: true });
    }
    const cache = `--cache=${temporaryFolder(context)}`; // an empty one
    for (const flags of [[], ['--omit=dev']]) {
      await runCommand(join(clone, folder), 'npm', ['ci', '--dry-run', '--offline', '--no-audit', cache, ...flags]);
    }
  });

  test(`${file} has an entry for every package that an entry depends on`, () => {
    const missing = Object.entries(packages).flatMap(([path, entry]) => {
      const names = Object.keys({ ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies });
      const notLocked = names.filter((name) => !isLocked(packages, path, name));
      return notLocked.map((name) => `${name}, named by ${path || 'package.json'}`);
    });
    assert.deepEqual(missing, []);
  });

  test(`${file} contains no registry URL`, () => {
    const resolved = Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined && !entry.link);
    assert.deepEqual(resolved, []);
  });
}

/** Resolves a package as Node.js does: in the package's own node_modules, then in its parents'. */
function isLocked(packages: LockedPackages, path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
  }
}
