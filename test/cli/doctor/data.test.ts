import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { updatedIndexPath } from '../../../src/datasets/index-choice.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, linesOf, textOf } from './a-context.ts';

test('an index is verified, and its age comes from its data version', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  await writeVersion(index, 'mine-2026-01-01', ['Alba', 'Borea']);
  const at = (day: string) => linesOf('index', aContext(context, { flags: { index }, now: new Date(day) }));
  assert.deepEqual(await at('2026-03-02'), [
    `ok: ${index}: mine-2026-01-01, 2 places, verified`,
    'ok: the data are of 1 January 2026 (60 days old)',
  ]);
  assert.match(
    (await at('2026-08-01'))[1] ?? '',
    /^warning: the data are of 1 January 2026 \(6 months old\) -> Build the index again/,
  );
});

test('without --index, the updated index of the state folder is examined, and one command is the advice', async (context) => {
  const sketch = aContext(context, { now: new Date('2026-11-17') });
  const { indexFolder, path: state } = sketch.state;
  const path = updatedIndexPath(indexFolder);
  mkdirSync(indexFolder, { recursive: true });
  await writeVersion(path, 'geonames-cities500-2026-01-01', ['Alba']);
  assert.deepEqual(await linesOf('index', sketch), [
    `ok: ${path}: geonames-cities500-2026-01-01, 1 places, verified`,
    `warning: the data are of 1 January 2026 (10 months old) -> Run "npx toponym update --state ${state}": a running service serves the newest data of GeoNames within seconds.`,
  ]);
  writeFileSync(path, 'damaged');
  assert.match(
    await textOf('index', sketch),
    /^problem: .* Run "npx toponym update" to build it again, or use the embedded data: --index embedded\. -> /,
  );
});

test('an old index that --index names, beside an updated one, need not be named any more', async (context) => {
  const index = join(temporaryFolder(context), 'cities500.toponym');
  const sketch = aContext(context, { flags: { index }, now: new Date('2026-11-17') });
  const updated = updatedIndexPath(sketch.state.indexFolder);
  mkdirSync(sketch.state.indexFolder, { recursive: true });
  await writeVersion(index, 'geonames-cities500-2026-01-01', ['Alba']);
  writeFileSync(updated, '');
  assert.match(
    (await linesOf('index', sketch)).at(-1) ?? '',
    /-> Leave out --index to serve \S+updated\.toponym, which an update built\.$/,
  );
});

test('a missing, a damaged and an empty index are problems', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  const lines = () => textOf('index', aContext(context, { flags: { index } }));
  assert.match(await lines(), /^problem: .* cannot be read: no such file or directory\. -> Correct the file/);
  await writeVersion(index, 'one', []);
  assert.match(await lines(), /^problem: .*holds no places/);
  await writeVersion(index, 'one', ['Alba']);
  const bytes = readFileSync(index);
  bytes[bytes.length - 10]! ^= 1;
  writeFileSync(index, bytes);
  assert.match(await lines(), /^problem: .* -> Correct the file, or build or copy it again/);
});

test('an overlay must fit the index', async (context) => {
  const folder = temporaryFolder(context);
  const index = join(folder, 'a.toponym');
  const overlay = join(folder, 'overlay.ndjson');
  await writeVersion(index, 'one', ['Alba', 'Borea']);
  const lastLine = async () => (await linesOf('index', aContext(context, { flags: { index, overlay } }))).at(-1);
  writeFileSync(overlay, '{"hide":"G1"}\n');
  assert.equal(await lastLine(), `ok: overlay ${overlay} fits the index`);
  writeFileSync(overlay, '{"hide":"G9"}\n{"hid":1}\n');
  assert.match((await lastLine()) ?? '', /^problem: .*overlay\.ndjson.* -> Correct the file/);
});

test('an index at a URL without a copy is downloaded by the first start', async (context) => {
  const index = 'https://user:secret@example.invalid/a.toponym?signature=secret';
  const lines = await linesOf('index', aContext(context, { env: { TOPONYM_INDEX: index } }));
  assert.deepEqual(lines, ['ok: none yet: the first start builds or downloads it']);
});

test('IP databases: none, and a file that is none', async (context) => {
  const lines = (ipDatabase: string) => textOf('IP database', aContext(context, { flags: { ipDatabase } }));
  assert.match(await lines('none'), /^ok: none, as set/);
  const file = join(temporaryFolder(context), 'a.mmdb');
  writeFileSync(file, 'nothing');
  assert.match(await lines(file), /^problem: .*not a usable MaxMind DB file.* -> Name a MaxMind DB file/);
});

test('an old IP database is a warning', async (context) => {
  const at = (day: string) => textOf('IP database', aContext(context, { now: new Date(day) }));
  assert.match(await at('2026-07-01'), /^ok: .*dbip-city-ipv4\.mmdb of \d+ \w+ 2026 \(\d+ days old\)/);
  assert.match(await at('2028-01-01'), /^warning: .* -> Download a newer file/);
});
