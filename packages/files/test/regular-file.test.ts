import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readTextFile } from '../src/regular-file.ts';

test('a file is read up to its limit', (context) => {
  const path = join(temporaryFolder(context), 'file');
  const text = 'é'.repeat(100_000);
  writeFileSync(path, text);
  assert.equal(readTextFile(path, 200_000), text);
  assert.throws(() => readTextFile(path, 199_999), /the file has more than 199999 bytes/);
});
