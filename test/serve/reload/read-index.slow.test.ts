import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readIndexFile } from '../../../src/index-file/file.ts';
import { readIndexInThread } from '../../../src/serve/reload/read-index.ts';
import { builtIndex } from '../../support/built-index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('this thread keeps running while an index is read and verified', async () => {
  const file = await builtIndex();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const index = await readIndexInThread(file);
  clearInterval(timer);
  assert.ok(ticks > 10, `${ticks} ticks`);
  assert.ok(Buffer.from(index).equals(Buffer.from(readIndexFile(file))));
});

test('a file that cannot be used is refused with its reason', async (context) => {
  const file = join(temporaryFolder(context), 'a.toponym');
  await assert.rejects(readIndexInThread(file), /no such file/);
  writeFileSync(file, 'not an index');
  await assert.rejects(
    readIndexInThread(file),
    /a\.toponym: not a Toponym index: it does not start with the magic bytes/,
  );
});
