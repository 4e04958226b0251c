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

const root = fileURLToPath(new URL('../..', import.meta.url));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

test('npm ci accepts the lock file, with and without development packages', async (context) => {
  const folder = temporaryFolder(context);
  for (const path of ['package.json', 'package-lock.json', 'scripts/packaged-node', 'web/package.json']) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  const cache = `--cache=${temporaryFolder(context)}`; // an empty one
  for (const flags of [[], ['--omit=dev']]) {
    await runCommand(folder, 'npm', ['ci', '--dry-run', '--offline', '--no-audit', cache, ...flags]);
  }
});

test('the lock file has an entry for every package that an entry depends on', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) => {
    const names = Object.keys({ ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies });
    return names.filter((name) => !isLocked(path, name)).map((name) => `${name}, named by ${path || 'package.json'}`);
  });
  assert.deepEqual(missing, []);
});

test('the lock file contains no registry URL', () => {
  const resolved = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined && !entry.link);
  assert.deepEqual(resolved, []);
});

/** Resolves a package as Node.js does: in the package's own node_modules, then in its parents'. */
function isLocked(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
  }
}
