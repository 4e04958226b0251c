import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildIndex } from '../../src/build/build-index.ts';
import { readIndexFile, writeIndexFile } from '../../src/index-file/file.ts';
import { aGazetteer, aPlace } from '../support/an-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runKillRounds } from './kill-rounds.ts';

test('a builder killed at any moment leaves a complete index, the old one or the new one', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'a.toponym');
  const { renewed } = await runKillRounds(file, 25, 1);
  assert.ok(renewed > 0, 'no builder lived long enough to write');
  writeIndexFile(file, (await buildIndex(aGazetteer([aPlace()]))).bytes);
  assert.doesNotThrow(() => readIndexFile(file));
  assert.deepEqual(readdirSync(folder), ['a.toponym']);
});

test('only unfinished files of this index by dead processes of this machine are removed', async (t) => {
  const folder = temporaryFolder(t);
  // above the maximum process id of Linux
  const dead = 2 ** 22 + 1;
  const kept = [
    `.a.toponym.${hostname()}.${process.pid}-77.tmp`,
    `.a.toponym.other-machine.${dead}-0.tmp`,
    `.b.toponym.${hostname()}.${dead}-0.tmp`,
    `.a.toponym.${hostname()}.notes`,
  ];
  for (const name of [...kept, `.a.toponym.${hostname()}.${dead}-0.tmp`]) writeFileSync(join(folder, name), '');
  writeIndexFile(join(folder, 'a.toponym'), [new Uint8Array(1)]);
  assert.deepEqual(readdirSync(folder).sort(), [...kept, 'a.toponym'].sort());
});
