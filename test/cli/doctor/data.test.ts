import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkIndex } from '../../../src/cli/doctor/index-data.ts';
import { checkIpDatabase } from '../../../src/cli/doctor/ip-database.ts';
import { updatedIndexPath } from '../../../src/datasets/index-choice.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, linesOf } from './a-context.ts';

test('an index is verified, and its age comes from its data version', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  await writeVersion(index, 'mine-2026-01-01', ['Alba', 'Borea']);
  const at = async (day: string) =>
    linesOf(await checkIndex(aContext(context, { flags: { index }, now: new Date(day) })));
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
  assert.deepEqual(linesOf(await checkIndex(sketch)), [
    `ok: ${path}: geonames-cities500-2026-01-01, 1 places, verified`,
    `warning: the data are of 1 January 2026 (10 months old) -> Run "npx toponym update --state ${state}": a running service serves the newest data of GeoNames within seconds.`,
  ]);
  writeFileSync(path, 'damaged');
  assert.match(
    linesOf(await checkIndex(sketch)).join('\n'),
    /^problem: .* -> Run "npx toponym update" to build it again, or use the embedded data: --index embedded\.$/,
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
    linesOf(await checkIndex(sketch)).at(-1) ?? '',
    /-> Leave out --index to serve \S+updated\.toponym, which an update built\.$/,
  );
});

test('a missing, a damaged and an empty index are problems', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  const lines = async () => linesOf(await checkIndex(aContext(context, { flags: { index } }))).join('\n');
  assert.match(await lines(), /^problem: .* does not exist -> Name an existing file/);
  await writeVersion(index, 'one', []);
  assert.match(await lines(), /^problem: .*holds no places/);
  await writeVersion(index, 'one', ['Alba']);
  const bytes = readFileSync(index);
  bytes[bytes.length - 10]! ^= 1;
  writeFileSync(index, bytes);
  assert.match(await lines(), /^problem: .* -> Build or copy the index again/);
});

test('an overlay must fit the index', async (context) => {
  const folder = temporaryFolder(context);
  const index = join(folder, 'a.toponym');
  const overlay = join(folder, 'overlay.ndjson');
  await writeVersion(index, 'one', ['Alba', 'Borea']);
  const lastLine = async () => linesOf(await checkIndex(aContext(context, { flags: { index, overlay } }))).at(-1);
  writeFileSync(overlay, '{"hide":"G1"}\n');
  assert.equal(await lastLine(), `ok: overlay ${overlay} fits the index`);
  writeFileSync(overlay, '{"hide":"G9"}\n{"hid":1}\n');
  assert.match((await lastLine()) ?? '', /^problem: overlay: .* -> Correct the file/);
});

test('an index at a URL without a copy is downloaded by the first start', async (context) => {
  const index = 'https://user:secret@example.invalid/a.toponym?signature=secret';
  const lines = linesOf(await checkIndex(aContext(context, { env: { TOPONYM_INDEX: index } })));
  assert.deepEqual(lines, ['ok: no copy yet: the first start downloads it']);
});

test('IP databases: none, and a file that is none', (context) => {
  const lines = (ipDatabase: string) =>
    linesOf(checkIpDatabase(aContext(context, { flags: { ipDatabase } }))).join('\n');
  assert.match(lines('none'), /^ok: none, as set/);
  const file = join(temporaryFolder(context), 'a.mmdb');
  writeFileSync(file, 'nothing');
  assert.match(lines(file), /^problem: .*not a usable MaxMind DB file.* -> Name a MaxMind DB file/);
});

test('an old IP database is a warning', (context) => {
  const at = (day: string) => linesOf(checkIpDatabase(aContext(context, { now: new Date(day) }))).join('\n');
  assert.match(at('2026-07-01'), /^ok: .*dbip-city-ipv4\.mmdb of 2026-0\d-\d\d, \d+ days old/);
  assert.match(at('2028-01-01'), /^warning: .* -> Download a newer file/);
});
