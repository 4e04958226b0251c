import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingPackages } from '../../scripts/missing-packages.js';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a workspace that is new or has another version needs no installation, and a new package does', (context) => {
  const root = temporaryFolder(context);
  mkdirSync(join(root, 'node_modules'));
  const write = (path: string, packages: object) => writeFileSync(join(root, path), JSON.stringify({ packages }));
  write('node_modules/.package-lock.json', { 'packages/old': { version: '1.0.0' } });
  write('package-lock.json', {
    '': { version: '2.0.0' },
    'node_modules/needed': { version: '1.0.0' },
    'node_modules/new': { resolved: 'packages/new', link: true },
    'packages/new': { version: '2.0.0' },
    'packages/old': { version: '2.0.0' },
  });
  assert.deepEqual(missingPackages(root, { needsDev: true, nodePackage: undefined }), ['node_modules/needed']);
});
