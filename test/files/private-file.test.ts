import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writePrivateFile } from '../../src/files/private-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a private file that cannot be written leaves nothing behind', (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'key.pem'));
  assert.throws(() => writePrivateFile(join(folder, 'key.pem'), 'secret'));
  assert.deepEqual(readdirSync(folder), ['key.pem']);
});
