import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { readIndexFile } from '../../../src/index-file/file.ts';
import { readIndexInThread, trySearches } from '../../../src/serve/reload/new-data.ts';
import { anIndex, aPlace } from '../../support/an-engine.ts';
import { builtIndex } from '../../support/built-index.ts';
import { forgeSection } from '../../support/forged-index.ts';
import { writeVersion } from '../../support/index-version.ts';
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

const FAILING_TRIAL = new URL('../../fixtures/serve/failing-trial.ts', import.meta.url);
const NAMES = ['Alba', 'Borea', 'Cora'];

test('data that can be searched pass the trial, with and without an overlay', async () => {
  const index = await anIndex([aPlace({ id: 'G1', name: 'Alba' })]);
  const overlay = await anIndex([aPlace({ id: 'G2', name: 'Borea' })], { replaces: ['G1'] });
  assert.equal(await trySearches({ index, overlay: undefined }), 'test-1');
  assert.equal(await trySearches({ index, overlay }), 'test-1+test-1');
});

test('data with correct checksums whose names are not found fail the trial', async (context) => {
  const file = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(file, 'one', NAMES);
  forgeSection(file, 'nameTrieChildStart', (bytes) => bytes.fill(0xff));
  // read without `readIndexFile`, whose checks might refuse this file
  const bytes = readFileSync(file);
  const index = new SharedArrayBuffer(bytes.length);
  new Uint8Array(index).set(bytes);
  await assert.rejects(trySearches({ index, overlay: undefined }), /only 0 of \d+ places are found by their names/);
});

test('a trial that hangs, throws or exits fails and leaves no thread behind', async (context) => {
  const threads: Worker[] = [];
  const noteThread = (thread: Worker) => threads.push(thread);
  process.on('worker', noteThread);
  context.after(() => process.off('worker', noteThread));
  for (const [way, reason] of [
    ['hang', /cannot be searched: no result within 1 s/],
    ['throw', /cannot be searched: made to fail/],
    ['exit', /cannot be searched: the thread ended without a result/],
  ] as const) {
    const index = way as unknown as SharedArrayBuffer;
    await assert.rejects(
      trySearches(
        { index, overlay: undefined },
        { limitMs: way === 'hang' ? 1000 : 30_000, threadFile: FAILING_TRIAL },
      ),
      reason,
    );
  }
  const ENDED = -1;
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [ENDED, ENDED, ENDED],
  );
});
