import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingPackages } from '../../scripts/missing-packages.js';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a workspace of another version needs no installation; one without its link and a new package do', (context) => {
  const root = temporaryFolder(context);
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../packages/old', join(root, 'node_modules', 'old'));
  mkdirSync(join(root, 'packages', 'old'), { recursive: true });
  const write = (path: string, packages: object) => writeFileSync(join(root, path), JSON.stringify({ packages }));
  write('node_modules/.package-lock.json', { 'packages/old': { version: '1.0.0' } });
  write('package-lock.json', {
    '': { version: '2.0.0' },
    'node_modules/needed': { version: '1.0.0' },
    'node_modules/old': { resolved: 'packages/old', link: true },
    'node_modules/new': { resolved: 'packages/new', link: true },
    'packages/new': { version: '2.0.0' },
    'packages/old': { version: '2.0.0' },
  });
  const missing = missingPackages(root, { needsDev: true, nodePackage: undefined });
  assert.deepEqual(missing, ['node_modules/needed', 'node_modules/new']);
});
