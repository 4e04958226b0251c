import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { updatedIndexPath } from '../../../src/datasets/index-choice.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, assertFindings, textOf } from './a-context.ts';

test('index: a file of the user, its age and its overlay, and what is wrong with it', async (context) => {
  const folder = temporaryFolder(context);
  const [index, overlay] = [join(folder, 'a.toponym'), join(folder, 'overlay.ndjson')];
  const find = (expected: RegExp | string, flags = {}, day = '2026-03-02') =>
    assertFindings(context, 'index', [[{ flags: { index, ...flags }, now: new Date(day) }, expected]]);
  await find(/^problem: .* cannot be read: no such file or directory\. -> Correct the file/);
  await writeVersion(index, 'one', []);
  await find(/^problem: .*holds no places/);
  await writeVersion(index, 'mine-2026-01-01', ['Alba', 'Borea']);
  const good = `ok: ${index}: mine-2026-01-01, 2 places, verified\nok: the data is of 1 January 2026 (60 days old)`;
  await find(good);
  await find(/\nwarning: the data is of 1 January 2026 \(6 months old\) -> Build the index again/, {}, '2026-08-01');
  writeFileSync(overlay, '{"hide":"G1"}\n');
  await find(`${good}\nok: overlay ${overlay} fits the index`, { overlay });
  writeFileSync(overlay, '{"hide":"G9"}\n{"hid":1}\n');
  await find(/\nproblem: .*overlay\.ndjson.* -> Correct the file/, { overlay });
  const bytes = readFileSync(index);
  bytes[bytes.length - 10]! ^= 1;
  writeFileSync(index, bytes);
  await find(/^problem: .* -> Correct the file, or build or copy it again/);
});

test('index: the updated one of the state folder, and an old one that --index names beside it', async (context) => {
  const doctor = aContext(context, { now: new Date('2026-11-17') });
  const { indexFolder, path: state } = doctor.state;
  const path = updatedIndexPath(indexFolder);
  mkdirSync(indexFolder, { recursive: true });
  await writeVersion(path, 'geonames-cities500-2026-01-01', ['Alba']);
  assert.equal(
    await textOf('index', doctor),
    `ok: ${path}: geonames-cities500-2026-01-01, 1 places, verified
warning: the data is of 1 January 2026 (10 months old) -> Run "npx toponym update --state ${state}": a running service serves the newest data of GeoNames within seconds.`,
  );
  const index = join(temporaryFolder(context), 'cities500.toponym');
  await writeVersion(index, 'geonames-cities500-2026-01-01', ['Alba']);
  const named = { ...doctor, settings: { ...doctor.settings, index } };
  assert.match(
    await textOf('index', named),
    /-> Leave out --index to serve \S+updated\.toponym, which an update built\.$/,
  );
  writeFileSync(path, 'damaged');
  assert.match(
    await textOf('index', doctor),
    /^problem: .* Run "npx toponym update" to build it again, or use the embedded data: --index embedded\. -> /,
  );
});

test('index: one at a URL without a copy is downloaded by the first start', async (context) => {
  const env = { TOPONYM_INDEX: 'https://user:secret@example.invalid/a.toponym?signature=secret' };
  await assertFindings(context, 'index', [[{ env }, 'ok: none yet: the first start builds or downloads it']]);
});

test('IP database: none, a file that is none, and the age of the embedded one', async (context) => {
  const file = join(temporaryFolder(context), 'a.mmdb');
  writeFileSync(file, 'nothing');
  await assertFindings(context, 'IP database', [
    [{ flags: { ipDatabase: 'none' } }, /^ok: none, as set/],
    [{ flags: { ipDatabase: file } }, /^problem: .*not a usable MaxMind DB file.* -> Name a MaxMind DB file/],
    [{ now: new Date('2026-07-01') }, /^ok: .*dbip-city-ipv4\.mmdb of \d+ \w+ 2026 \(\d+ days old\)/],
    [{ now: new Date('2028-01-01') }, /^warning: .* -> Download a newer file/],
  ]);
});
