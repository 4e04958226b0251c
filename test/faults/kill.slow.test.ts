import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readIndexFile, writeIndexFile } from 'toponym-files/index-file';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { aGazetteer, aPlace } from '../support/an-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runKillRounds } from './kill-rounds.ts';

test('a builder killed at any moment leaves a complete index, the old one or the new one', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'a.toponym');
  const { renewed } = await runKillRounds(file, 8, 1);
  assert.ok(renewed > 0, 'no builder lived long enough to write');
  writeIndexFile(file, (await buildIndex(aGazetteer([aPlace()]))).chunks);
  assert.doesNotThrow(() => readIndexFile(file));
  assert.deepEqual(readdirSync(folder), ['a.toponym']);
});
