import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Gazetteer } from '../../src/place/gazetteer.ts';
import type { Place } from '../../src/place/place.ts';
import { openGeonames } from '../../src/sources/geonames.ts';
import { MAX_LINE_BYTES } from '../../src/sources/lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'toponym-geonames-'));
after(() => rmSync(folder, { recursive: true }));

function aFile(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function aRow(id: number, name: string, modified = '2020-01-01'): string {
  return `${id}\t${name}\t${name}\t\t42.5\t1.6\tP\tPPL\tUS\t\tTX\t277\t\t\t700\t\t900\tAmerica/Chicago\t${modified}`;
}

async function readAll(gazetteer: Gazetteer): Promise<Place[]> {
  const places: Place[] = [];
  for await (const place of gazetteer.places) places.push(place);
  return places;
}

async function namesIn(content: string | Buffer): Promise<string[]> {
  const places = await readAll(openGeonames([aFile('dump.txt', content)], { regions: [] }));
  return places.map((place) => place.names[0]?.value ?? '');
}

test('rows are read whatever the line ends, with or without a last one', async () => {
  assert.deepEqual(await namesIn(`${aRow(1, 'A')}\n${aRow(2, 'B')}\n`), ['A', 'B']);
  assert.deepEqual(await namesIn(`${aRow(1, 'A')}\r\n${aRow(2, 'B')}\r\n`), ['A', 'B']);
  assert.deepEqual(await namesIn(`${aRow(1, 'A')}\n${aRow(2, 'B')}`), ['A', 'B']);
});

test('a byte order mark is no part of the first id', async () => {
  assert.deepEqual(await namesIn(`\ufeff${aRow(1, 'A')}\n`), ['A']);
});

test('rows that span the chunks of a large file come out whole', async () => {
  const names = Array.from({ length: 8_000 }, (_, i) => `Pläce-${i}`);
  assert.deepEqual(await namesIn(names.map((name, i) => aRow(i + 1, name)).join('\n')), names);
});

test('refused rows are counted by reason, with file and line, and the rest is kept', async () => {
  const content = Buffer.concat([
    Buffer.from(`${aRow(1, 'A')}\n`),
    Buffer.from('short\trow\n'),
    Buffer.from(aRow(3, 'bad \u00ff').replace('\u00ff', '')),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from(`${aRow(1, 'A again')}\n`),
    Buffer.from(`${aRow(5, 'North of the pole').replace('42.5', '142.5')}\n`),
    Buffer.from(`${aRow(6, 'A country').replace('\tP\tPPL\t', '\tA\tPCLI\t')}\n`),
    Buffer.from(`${aRow(7, 'B')}\n`),
  ]);
  const gazetteer = openGeonames([aFile('mixed.txt', content)], { regions: [] });
  assert.deepEqual(
    (await readAll(gazetteer)).map(({ id }) => id),
    ['G1', 'G7'],
  );
  assert.equal(gazetteer.report.rowsRead, 7);
  assert.equal(gazetteer.report.rowsKept, 2);
  const { rejected } = gazetteer.report;
  assert.deepEqual(rejected.get('short row'), { count: 1, samples: ['mixed.txt:2: 2 columns: "short\\trow"'] });
  assert.deepEqual(rejected.get('duplicate id'), { count: 1, samples: ['mixed.txt:4: G1'] });
  assert.deepEqual(rejected.get('bad coordinates'), { count: 1, samples: ['mixed.txt:5: "142.5", "1.6"'] });
  assert.deepEqual(rejected.get('not a populated place'), { count: 1, samples: ['mixed.txt:6: feature class "A"'] });
  assert.equal(rejected.get('bad UTF-8')?.count, 1);
  assert.match(rejected.get('bad UTF-8')?.samples[0] ?? '', /^mixed\.txt:3: 3\tbad/);
  assert.equal(rejected.size, 5);
});

test('an overlong line is refused and the line numbers after it are right', async () => {
  const huge = 'x'.repeat(3 * MAX_LINE_BYTES);
  const gazetteer = openGeonames([aFile('huge.txt', `${aRow(1, 'A')}\n${huge}\n${aRow(3, 'C')}\nshort\n${huge}`)]);
  assert.deepEqual(
    (await readAll(gazetteer)).map(({ id }) => id),
    ['G1', 'G3'],
  );
  assert.equal(gazetteer.report.rowsRead, 5);
  const long = gazetteer.report.rejected.get('line too long');
  assert.equal(long?.count, 2);
  assert.match(long?.samples[0] ?? '', /^huge\.txt:2: x+…$/);
  assert.match(long?.samples[1] ?? '', /^huge\.txt:5: x+…$/);
  assert.match(gazetteer.report.rejected.get('short row')?.samples[0] ?? '', /^huge\.txt:4: /);
});

test('of many refused rows the first five are shown', async () => {
  const gazetteer = openGeonames([aFile('bad.txt', 'x\n'.repeat(9))], { regions: [] });
  await readAll(gazetteer);
  assert.deepEqual(gazetteer.report.rejected.get('short row'), {
    count: 9,
    samples: [1, 2, 3, 4, 5].map((line) => `bad.txt:${line}: 1 columns: "x"`),
  });
});

test('an id is kept once over several files', async () => {
  const gazetteer = openGeonames([
    aFile('one.txt', aRow(1, 'A')),
    aFile('two.txt', `${aRow(1, 'A')}\n${aRow(2, 'B')}`),
  ]);
  assert.equal((await readAll(gazetteer)).length, 2);
  assert.deepEqual(gazetteer.report.rejected.get('duplicate id')?.samples, ['two.txt:1: G1']);
});

test('the version carries the newest modification date, wherever it stands', () => {
  const rows = [aRow(1, 'A', '2019-05-06'), aRow(2, 'B', '2024-02-29'), aRow(3, 'C', '2021-01-01')];
  assert.equal(openGeonames([aFile('XX.txt', rows.join('\n'))]).version, 'geonames-XX-2024-02-29');
  assert.equal(openGeonames([aFile('XX.txt', rows.join('\r\n'))], { name: 'own' }).version, 'own-2024-02-29');
  assert.equal(openGeonames([aFile('XX.txt', rows.slice(0, 2).join('\n'))]).version, 'geonames-XX-2024-02-29');
  assert.equal(openGeonames([aFile('XX.txt', '')]).version, 'geonames-XX-undated');
});

test('admin files among the paths name the divisions, and keys they lack are dropped', async () => {
  const gazetteer = openGeonames([
    aFile('admin1CodesASCII.txt', 'US.TX\tTejas\tTexas\t4736286\r\n'),
    aFile('dump.txt', aRow(1, 'A')),
  ]);
  assert.deepEqual(
    gazetteer.regions.map(({ key, level, name }) => ({ key, level, name })),
    [{ key: 'US.TX', level: 1, name: 'Tejas' }],
  );
  assert.ok(gazetteer.regions[0]?.aliases.includes('Texas'));
  const [place] = await readAll(gazetteer);
  assert.equal(place?.admin1, 'US.TX');
  assert.ok(place !== undefined && !('admin2' in place));
});

test('without admin files the bundled divisions are used', async () => {
  const gazetteer = openGeonames([aFile('dump.txt', aRow(1, 'A'))]);
  assert.equal(gazetteer.regions.find(({ key }) => key === 'US.TX.277')?.name, 'Lamar County');
  assert.equal((await readAll(gazetteer))[0]?.admin2, 'US.TX.277');
});

test('what cannot be read is refused before any reading, and says what would work', () => {
  assert.throws(() => openGeonames([join(folder, 'absent.txt')]), /absent\.txt: cannot be read: ENOENT/);
  assert.throws(() => openGeonames([aFile('XX.zip', '')]), /XX\.zip: compressed dumps cannot be read; unpack it/);
  assert.throws(() => openGeonames([]), /no GeoNames dump given, got \[\]/);
});
