import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openNdjson } from '../../../src/sources/ndjson.ts';
import { DatasetLineSchema, PlaceLineSchema, RegionLineSchema } from '../../../src/sources/place-line.ts';
import { readAll } from '../read-all.ts';
import { aFile, GOOD } from './ndjson-files.ts';

const OWN = fileURLToPath(new URL('../../../../../test/fixtures/sources/own.ndjson', import.meta.url));

async function rejections(context: TestContext, ...lines: (object | string)[]): Promise<string[][]> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const gazetteer = await openNdjson([aFile(context, 'a.ndjson', text)]);
  await readAll(gazetteer);
  return [...gazetteer.report.rejected].map(([reason, { samples }]) => [reason, ...samples]);
}

test('places, divisions and the dataset line are read', async () => {
  const gazetteer = await openNdjson([OWN]);
  assert.deepEqual(await readAll(gazetteer), [
    {
      id: 'X1',
      type: 'city',
      names: [
        { value: 'Seestadt', kind: 'main' },
        { value: 'Laketown', kind: 'alternate', language: 'en' },
        { value: 'Seestadt am Ufer', kind: 'alternate', language: 'de' },
        { value: 'Alt-Seen', kind: 'historic', language: 'de' },
        { value: 'SEE', kind: 'code' },
      ],
      lat: 47.34,
      lng: 9.62,
      country: 'LI',
      admin1: 'LI.M',
      admin2: 'LI.M.N',
      population: 12_345,
      timezone: 'Europe/Vaduz',
      adminRank: 5,
      externalIds: ['wd:Q123456789'],
    },
    {
      id: 'X2',
      type: 'hamlet',
      names: [{ value: 'Unterwald', kind: 'main' }],
      lat: 47.32,
      lng: 9.43,
      country: 'LI',
      admin1: 'LI.~oberland',
      adminRank: 0,
    },
  ]);
  assert.equal(gazetteer.version, 'own-2026-11-15');
  assert.deepEqual(gazetteer.attribution, ['Example Survey, CC0']);
  assert.deepEqual(gazetteer.regions, [
    { key: 'LI.M', level: 1, country: 'LI', name: 'Musterland', aliases: ['Model Country'] },
    { key: 'LI.M.N', level: 2, country: 'LI', name: 'Bezirk Nord', aliases: ['Nord'] },
    { key: 'LI.~oberland', level: 1, country: 'LI', name: 'Oberland', aliases: [] },
  ]);
  assert.deepEqual([gazetteer.report.rowsRead, gazetteer.report.rowsKept], [2, 2]);
});

test('a region line may have names in other languages', async (context) => {
  const line = JSON.stringify({ region: { key: 'LI.M', name: 'Model', names: { de: 'Musterland', 'fr-ch': 'Pays' } } });
  const gazetteer = await openNdjson([aFile(context, 'names.ndjson', line)]);
  await readAll(gazetteer);
  const translations = new Map([
    ['de', 'Musterland'],
    ['fr-CH', 'Pays'],
  ]);
  assert.deepEqual(gazetteer.regions, [
    { key: 'LI.M', level: 1, country: 'LI', name: 'Model', aliases: ['Musterland', 'Pays'], translations },
  ]);
});

test('a byte order mark, Windows line ends and empty lines are ignored', async (context) => {
  const text = `\ufeff${JSON.stringify(GOOD)}\r\n\r\n${JSON.stringify({ ...GOOD, id: 'X2' })}`;
  const gazetteer = await openNdjson([aFile(context, 'a.ndjson', text)]);
  assert.equal((await readAll(gazetteer)).length, 2);
  assert.equal(gazetteer.report.rejected.size, 0);
  assert.equal(gazetteer.version, 'a');
});

test('invalid lines are counted by reason, with file and line', async (context) => {
  const { name: _name, ...nameless } = GOOD;
  assert.deepEqual(
    await rejections(
      context,
      GOOD,
      GOOD,
      nameless,
      { ...GOOD, lat: 120, lng: 47 },
      { ...GOOD, populaton: 5 },
      { ...GOOD, country: 'QQ' },
      { ...GOOD, id: 'own-1' },
      { ...GOOD, type: 'metropolis' },
      '[1]',
      '{"id"',
      { dataset: { version: 'late' } },
      { ...GOOD, id: 'X2', admin1: 'LI.99' },
      { ...GOOD, id: 'X3', admin2: 'Nord' },
      { region: { key: 'nowhere', name: 'N' } },
      { ...GOOD, id: 'X4', names: { de: ['B', ' '] } },
      { names: { klingon: ['B'] } },
      { ...GOOD, id: 'X6', admin1: ' ' },
      { region: { key: 'LI.M', name: 'M', alias: ['x'] } },
      { names: { de: [{ value: 'B', knd: 'main' }] } },
    ),
    [
      ['duplicate id', 'a.ndjson:2: X1'],
      ['name missing', `a.ndjson:3: ${JSON.stringify(nameless)}`],
      ['bad lat', 'a.ndjson:4: 120 must be <= 90 (lat and lng swapped?)'],
      [
        'unknown field',
        `a.ndjson:5: populaton; did you mean population? The line: ${JSON.stringify({ ...GOOD, populaton: 5 })}`,
        'a.ndjson:16: names.klingon: expected a language tag such as de, or und. The line: {"names":{"klingon":["B"]}}',
        'a.ndjson:18: region.alias; did you mean aliases? The line: {"region":{"key":"LI.M","name":"M","alias":["x"]}}',
        'a.ndjson:19: names.de.0.knd; did you mean kind? The line: {"names":{"de":[{"value":"B","knd":"main"}]}}',
      ],
      ['unknown country', 'a.ndjson:6: QQ'],
      ['bad id', 'a.ndjson:7: "own-1" must match pattern "^[A-Z][1-9][0-9]{0,14}$"'],
      ['bad type', 'a.ndjson:8: "metropolis" must be equal to one of the allowed values'],
      ['not an object', 'a.ndjson:9: [1]'],
      ['not JSON', `a.ndjson:10: Expected ':' after property name in JSON at position 5 (line 1 column 6): {"id"`],
      ['dataset line is not the first', 'a.ndjson:11: {"dataset":{"version":"late"}}'],
      [
        'unknown division',
        'a.ndjson:12: admin1 "LI.99" is not the key of a division of LI: expected such a key, or a name',
        'a.ndjson:13: admin2 "Nord" without an admin1',
      ],
      ['bad region', 'a.ndjson:14: region.key: "nowhere" must match pattern "^[A-Z]{2}(\\.[^.]+){1,2}$"'],
      ['bad names', 'a.ndjson:15: names.de.1: " " must match pattern "\\S"'],
      ['bad admin1', 'a.ndjson:17: " " must match pattern "\\S"'],
    ],
  );
});

test('only an export of the embedded data has ids of its places', async (context) => {
  const advice = 'C and D are for places and divisions of the embedded data; choose another letter, such as L';
  const places = [GOOD, { ...GOOD, id: 'C1' }, { ...GOOD, id: 'D1' }];
  assert.deepEqual(await rejections(context, ...places), [
    ['reserved id', `a.ndjson:2: "C1": ${advice}`, `a.ndjson:3: "D1": ${advice}`],
  ]);
  const refused = [['reserved id', `a.ndjson:4: "D1": ${advice}`]];
  for (const version of [
    'geonames-cities500-2023-03-05-cities1000-2026-09',
    'mine+geonames-cities500-2023-03-05-cities1000-v1.1.70',
  ]) {
    assert.deepEqual(await rejections(context, { dataset: { version } }, ...places), refused);
  }
});

test('a place may have an extent, which must contain its point', async (context) => {
  const boxed = (id: number, bbox: unknown) => ({ ...GOOD, id: `X${id}`, lat: -16.4, lng: 179.9, bbox });
  const gazetteer = await openNdjson([
    aFile(context, 'a.ndjson', JSON.stringify(boxed(1, [179.5, -17, -179.5, -16.1]))),
  ]);
  assert.deepEqual((await readAll(gazetteer))[0]?.box, { south: -17, west: 179.5, north: -16.1, east: -179.5 });
  const wrong = 'must be [west, south, east, north] and contain the point -16.4, 179.9';
  assert.deepEqual(
    await rejections(
      context,
      boxed(1, [-17, 179, -16, 180]),
      boxed(2, [179, -16.1, 180, -17]),
      boxed(3, [179, -91, 180, -16]),
      boxed(4, [179, -17, 180]),
      boxed(5, [179, -17, 181, -16]),
      boxed(6, '179,-17,180,-16'),
    ),
    [
      [
        'bad bbox',
        'a.ndjson:1: bbox.south: 179 must be <= 90',
        `a.ndjson:2: [179,-16.1,180,-17] ${wrong}`,
        'a.ndjson:3: bbox.south: -91 must be >= -90',
        'a.ndjson:4: [179,-17,180] must not have fewer than 4 items',
        'a.ndjson:5: bbox.east: 181 must be <= 180',
      ],
    ],
  );
});

test('the documented schema is the one that is checked', () => {
  const written = JSON.parse(readFileSync(new URL('../../../../../docs/place.schema.json', import.meta.url), 'utf8'));
  const checked = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'One line of a Toponym NDJSON file',
    anyOf: [PlaceLineSchema, RegionLineSchema, DatasetLineSchema],
  };
  assert.deepEqual(written, JSON.parse(JSON.stringify(checked)));
});

/** Nested too deeply for JSON.stringify. */
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test('a deeply nested value is rejected and quoted in shortened form', async (context) => {
  const line = JSON.stringify(GOOD);
  const nested = [
    line.replace('"A"', DEEP),
    line.replace('}', `,"names":{"en":${DEEP}}}`),
    line.replace('}', `,"colour":${DEEP}}`),
    `{"id":${DEEP}}`,
    `{"region":${DEEP}}`,
    `{"region":{"key":${DEEP}}}`,
    `{"dataset":{"version":${DEEP}}}`,
    DEEP,
    `{"id":"X1","name":${DEEP.slice(1)}`,
  ];
  for (const text of nested) {
    const [[reason, sample = ''] = [], ...others] = await rejections(context, text, GOOD);
    assert.notEqual(reason, undefined, text.slice(0, 60));
    assert.ok(sample.length < 200, sample);
    assert.deepEqual(others, []);
  }
});
