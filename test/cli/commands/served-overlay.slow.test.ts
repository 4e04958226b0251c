import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { servedOverlay } from '../../../src/cli/commands/serve-command.ts';
import { openEngine } from '../../../src/engine/open-engine.ts';
import { UsageError } from '../../../src/errors/errors.ts';
import { anIndex, aPlace } from '../../support/an-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PLACES = [aPlace({ id: 'G1', name: 'Alba' })];

test('this thread keeps running while a long overlay is built', async (context) => {
  const file = join(temporaryFolder(context), 'long.ndjson');
  const lines = Array.from({ length: 20_000 }, (_, i) => JSON.stringify({ addName: 'G1', name: `Alba ${i}` }));
  writeFileSync(file, lines.join('\n'));
  const index = await anIndex(PLACES);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const overlay = await servedOverlay(file).build(index);
  clearInterval(timer);
  assert.ok(ticks > 10, `${ticks} ticks`);
  const { names = {} } = openEngine(index, overlay).get('G1') ?? {};
  assert.equal(Object.values(names).flat().length, 20_001);
});

test('an overlay that cannot be used is refused with its reason', async (context) => {
  const file = join(temporaryFolder(context), 'wrong.ndjson');
  const build = async () => servedOverlay(file).build(await anIndex(PLACES));
  await assert.rejects(
    build(),
    (error) => error instanceof UsageError && /wrong\.ndjson cannot be read/.test(error.message),
  );
  writeFileSync(file, '{"hide": "G2"}');
  await assert.rejects(build(), { name: 'SourceError', message: /wrong\.ndjson:1: hide: place G2 does not exist$/ });
});
