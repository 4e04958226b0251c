import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Gazetteer } from 'toponym-engine/place/place';
import { createGeonames, openGeonames } from '../../../src/sources/geonames/geonames.ts';
import { uncompressedInput } from '../../../src/sources/input/input-files.ts';
import { MAX_LINE_BYTES } from '../../../src/sources/input/lines.ts';
import { writeZip } from '../input/write-zip.ts';
import { readAll } from '../read-all.ts';

const FIXTURES = fileURLToPath(new URL('../../../../../test/fixtures/sources/geonames', import.meta.url));
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

/** A small table of divisions, so that the bundled one is not read. */
function someDivisions(): string {
  return aFile('admin1CodesASCII.txt', 'US.TX\tTexas\tTexas\t4736286\n');
}

/** Reads dumps without division tables. */
function openDump(content: string | Buffer, name = 'dump.txt'): Gazetteer {
  const dumps = [uncompressedInput(aFile(name, content))];
  return createGeonames({ name: 'test', dumps, regions: [], countries: [] });
}

async function namesIn(content: string | Buffer): Promise<string[]> {
  const places = await readAll(openDump(content));
  return places.map((place) => place.names[0]?.value ?? '');
}

test('rows are read with any line ends, with or without a last one or a byte order mark', async () => {
  const [a, b] = [aRow(1, 'A'), aRow(2, 'B')];
  for (const text of [`${a}\n${b}\n`, `${a}\r\n${b}\r\n`, `${a}\n${b}`, `\ufeff${a}\n${b}`]) {
    assert.deepEqual(await namesIn(text), ['A', 'B']);
  }
});

test('rows that span two chunks are read', async () => {
  const names = Array.from({ length: 8_000 }, (_, i) => `Pläce-${i}`);
  assert.deepEqual(await namesIn(names.map((name, i) => aRow(i + 1, name)).join('\n')), names);
});

test('rejected rows are counted by reason, with file and line', async () => {
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
  const gazetteer = openDump(content, 'mixed.txt');
  assert.deepEqual(
    (await readAll(gazetteer)).map(({ id }) => id),
    ['G1', 'G7'],
  );
  const { rowsRead, rowsKept, rejected } = gazetteer.report;
  assert.deepEqual([rowsRead, rowsKept], [7, 2]);
  const samples = Object.fromEntries([...rejected].map(([reason, entry]) => [reason, entry.samples.join()]));
  const { 'bad UTF-8': badUtf8, ...others } = samples;
  assert.match(badUtf8 ?? '', /^mixed\.txt:3: 3\tbad/);
  assert.deepEqual(others, {
    'short row': 'mixed.txt:2: 2 columns: "short\\trow"',
    'duplicate id': 'mixed.txt:4: G1',
    'bad coordinates': 'mixed.txt:5: "142.5", "1.6" (latitude and longitude swapped?)',
    'not a populated place': 'mixed.txt:6: feature class "A"',
  });
});

test('an overlong line is rejected and later line numbers are correct', async () => {
  const huge = 'x'.repeat(3 * MAX_LINE_BYTES);
  const gazetteer = openDump(`${aRow(1, 'A')}\n${huge}\n${aRow(3, 'C')}\nshort\n${huge}`, 'huge.txt');
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

test('the first five rejected rows are quoted', async () => {
  const gazetteer = openDump('x\n'.repeat(9), 'bad.txt');
  await readAll(gazetteer);
  assert.deepEqual(gazetteer.report.rejected.get('short row'), {
    count: 9,
    samples: [1, 2, 3, 4, 5].map((line) => `bad.txt:${line}: 1 columns: "x"`),
  });
});

test('an id in several files is read once', async () => {
  const gazetteer = await openGeonames([
    aFile('one.txt', aRow(1, 'A')),
    aFile('two.txt', `${aRow(1, 'A')}\n${aRow(2, 'B')}`),
    someDivisions(),
  ]);
  assert.equal((await readAll(gazetteer)).length, 2);
  assert.deepEqual(gazetteer.report.rejected.get('duplicate id')?.samples, ['two.txt:1: G1']);
});

test('the version contains the newest modification date once all is read', async () => {
  const rows = [aRow(1, 'A', '2019-05-06'), aRow(2, 'B', '2024-02-29'), aRow(3, 'C', '2021-01-01')];
  const versionOf = async (content: string) => {
    const gazetteer = await openGeonames([aFile('XX.txt', content), someDivisions()]);
    await readAll(gazetteer);
    return gazetteer.version;
  };
  assert.equal(await versionOf(rows.join('\n')), 'geonames-XX-2024-02-29');
  assert.equal(await versionOf(rows.join('\r\n')), 'geonames-XX-2024-02-29');
  assert.equal(await versionOf(rows.slice(0, 2).join('\n')), 'geonames-XX-2024-02-29');
  assert.equal(await versionOf(''), 'geonames-XX-undated');
});

test('admin files give the names of divisions, and unknown divisions are dropped', async () => {
  const gazetteer = await openGeonames([
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
  const gazetteer = await openGeonames([aFile('dump.txt', aRow(1, 'A'))]);
  assert.equal(gazetteer.regions.find(({ key }) => key === 'US.TX.277')?.name, 'Lamar County');
  assert.equal((await readAll(gazetteer))[0]?.admin2, 'US.TX.277');
});

/** A row of a complete dump that describes a division. */
function aDivision(id: number, name: string, code: 'ADM1' | 'ADM2' | 'ADM1H'): string {
  const row = aRow(id, name).replace('\tP\tPPL\t', `\tA\t${code}\t`);
  return code === 'ADM2' ? row : row.replace('\t277\t', '\t\t');
}

test('a division is shown by its alternate names, with the id in the table of divisions', async () => {
  const gazetteer = await openGeonames([
    aFile('admin1CodesASCII.txt', 'US.TX\tTexas\tTexas\t4736286\n'),
    aFile('alternateNamesV2.txt', '1\t4736286\tes\tTejas\t\t\t\t\n2\t4736286\tes\tTexas histórico\t\t\t\t1\n'),
    aFile('dump.txt', `${aRow(1, 'A')}\n${aDivision(9, 'Another id', 'ADM1')}`),
  ]);
  const { translations } = gazetteer.regions[0]!;
  // ru is from the table that ships with Toponym
  assert.deepEqual([translations?.get('es'), translations?.get('ru')], ['Tejas', 'Техас']);
});

test('without a table of divisions, their ids come from the rows of divisions in the dump', async () => {
  const gazetteer = await openGeonames([
    aFile('alternateNamesV2.txt', '1\t8\tes\tTejas\n2\t9\tes\tCondado de Lamar\n3\t10\tes\tAntes\n'),
    aFile(
      'dump.txt',
      [
        aRow(1, 'A'),
        aDivision(8, 'Texas', 'ADM1'),
        aDivision(9, 'Lamar County', 'ADM2'),
        aDivision(10, 'Old Texas', 'ADM1H'),
      ].join('\n'),
    ),
  ]);
  const translationsOf = (key: string) => gazetteer.regions.find((region) => region.key === key)?.translations;
  assert.equal(translationsOf('US.TX')?.get('es'), 'Tejas');
  assert.deepEqual(translationsOf('US.TX.277'), new Map([['es', 'Condado de Lamar']]));
  assert.equal(translationsOf('US.IL')?.get('es'), undefined);
});

test('unusable paths are refused with a message that says what would work', async () => {
  await assert.rejects(
    openGeonames([join(folder, 'absent.txt')]),
    /absent\.txt: cannot be read: no such file or directory/,
  );
  await assert.rejects(openGeonames([aFile('XX.zip', '')]), /XX\.zip: is not a zip file, or is empty/);
  await assert.rejects(
    openGeonames([aFile('countryInfo.txt', '')]),
    /countryInfo\.txt: no GeoNames dump; .* such as allCountries\.txt/,
  );
});

test('a folder of GeoNames files gives places with divisions and names in several languages', async () => {
  const gazetteer = await openGeonames([FIXTURES]);
  const places = await readAll(gazetteer);
  assert.deepEqual(
    places.map(({ id, type, admin1, admin2 }) => [id, type, admin1, admin2]),
    [
      ['G9000001', 'city', 'LI.01', 'LI.01.0101'],
      ['G9000002', 'hamlet', 'LI.01', 'LI.01.0102'],
      ['G9000003', 'suburban area', 'LI.01', 'LI.01.0101'],
    ],
  );
  assert.deepEqual(places[0]?.names, [
    { value: 'Mühlstadt', kind: 'main' },
    { value: 'Mill City', kind: 'alternate', language: 'en' },
    { value: 'Молинград', kind: 'alternate', language: 'ru' },
    { value: 'Milltown', kind: 'alternate', language: 'en' },
    { value: 'Mulinograd', kind: 'alternate', language: 'nds' },
    { value: 'MUS', kind: 'code' },
    { value: 'Mòlínggélè', kind: 'romanized', language: 'zh-Latn' },
    { value: 'The Mill', kind: 'alternate', language: 'en' },
    { value: 'Mühlstadt', kind: 'alternate', language: 'de' },
    { value: 'Alt-Mühlen', kind: 'historic', language: 'de' },
    { value: 'Muehlstadt', kind: 'alternate' },
    { value: 'Mühlstadt am Bach', kind: 'alternate' },
    { value: 'mo lin ge le', kind: 'romanized' },
    { value: 'Mill City', kind: 'alternate', language: 'sv' },
    { value: '9490', kind: 'postcode' },
  ]);
  assert.deepEqual(places[0]?.externalIds, ['wd:Q42']);
  assert.equal(gazetteer.version, 'geonames-LI-2025-06-15');
  assert.deepEqual([...gazetteer.report.rejected.keys()], ['not a populated place']);
  const region = gazetteer.regions.find(({ key }) => key === 'LI.01');
  assert.deepEqual([region?.name, region?.aliases], ['Musterland', ['Pays Modèle']]);
  assert.ok(gazetteer.countries.find(({ code }) => code === 'LI')?.aliases.includes('Lihtän'));
});

test('the same files give the same places in one archive, or each compressed', async () => {
  const names = readdirSync(FIXTURES);
  const content = (name: string) => readFileSync(join(FIXTURES, name));
  const archive = aFile('all.zip', writeZip(...names.map((name) => ({ name, content: content(name) }))));
  const packed = names.map((name) => aFile(`${name}.gz`, gzipSync(content(name))));
  const plain = await readAll(await openGeonames([FIXTURES]));
  assert.deepEqual(await readAll(await openGeonames([archive])), plain);
  assert.deepEqual(await readAll(await openGeonames(packed)), plain);
});

test('files in the folder alternatenames are names, although they are named like dumps', async () => {
  mkdirSync(join(folder, 'alternatenames'), { recursive: true });
  const names = aFile('alternatenames/US.txt', '7\t1\tfr\tAh\t1\t\t\t\t\t\n');
  const [place] = await readAll(await openGeonames([aFile('US.txt', aRow(1, 'A')), names, someDivisions()]));
  assert.deepEqual(place?.names, [
    { value: 'A', kind: 'main' },
    { value: 'Ah', kind: 'alternate', language: 'fr' },
  ]);
});

test('malformed rows of tables are counted with file and line', async () => {
  const gazetteer = await openGeonames([
    aFile('admin1CodesASCII.txt', 'US.TX\tTexas\tTexas\t4736286\nnonsense\n'),
    aFile('countryInfo.txt', '# comment\nnonsense\n'),
    aFile('alternateNamesV2.txt', 'x\t1\tfr\tAh\n7\t1\tfr\tAh\n\n\xff'),
    aFile('dump.txt', aRow(1, 'A')),
  ]);
  assert.equal((await readAll(gazetteer)).length, 1);
  assert.deepEqual(gazetteer.report.rejected.get('bad division row')?.samples, ['admin1CodesASCII.txt:2: nonsense']);
  assert.deepEqual(gazetteer.report.rejected.get('bad country row')?.samples, ['countryInfo.txt:2: nonsense']);
  assert.deepEqual(gazetteer.report.rejected.get('bad alternate name row')?.samples, [
    'alternateNamesV2.txt:1: x\t1\tfr\tAh',
    'alternateNamesV2.txt:4: \xff',
  ]);
});

test('passes before the first place report their progress', async () => {
  const stages = new Map<string, number>();
  await openGeonames([FIXTURES], ({ stage, done }) => stages.set(stage, done));
  assert.deepEqual(
    [...stages],
    [
      ['reading place ids', 4],
      ['reading alternate names', 18],
    ],
  );
});
