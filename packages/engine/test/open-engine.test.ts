import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, anIndex, aPlace, aQuery, idsOf, shownFields } from '../../../test/support/an-engine.ts';
import type { SearchQuery } from '../src/engine.ts';
import { openEngine } from '../src/open-engine.ts';

const seoul = aPlace({
  id: 'G1835848',
  name: 'Seoul',
  type: 'city',
  country: 'US',
  admin1: 'US.TX',
  population: 10_000_000,
  timezone: 'Asia/Seoul',
  lat: 37.566,
  lng: 126.9784,
  alternateNames: [
    { value: '서울', kind: 'alternate', language: 'ko' },
    'Séoul',
    { value: 'ICN', kind: 'code' },
    { value: 'xan tang', kind: 'romanized' },
    { value: 'Hanchéng', kind: 'romanized', language: 'zh-Latn' },
    { value: '04500', kind: 'postcode' },
  ],
});
const fiji = aPlace({ id: 'N9007199254740991', name: 'Taveuni', lat: -16.8, lng: -179.97, type: 'hamlet' });
const tuvalu = aPlace({ id: 'W12', name: 'Labasa', lat: -16.8, lng: 179.97, type: 'town' });
const engine = await anEngine([seoul, fiji, tuvalu]);
/** Germany is everything north of 50°. */
const loadBorders = () => ({
  countryAt: (lat: number) => (lat > 50 ? 'DE' : undefined),
  isNear: () => true,
  countriesWithinError: () => [],
});
const inGermany = { country: 'DE', type: 'city' } as const;
const kiel = aPlace({ id: 'G1', name: 'Kiel', ...inGermany, population: 250_000, lat: 54.3233, lng: 10.1228 });
const kronshagen = aPlace({ id: 'G2', name: 'Kronshagen', country: 'DE', population: 11_000, lat: 54.34, lng: 10.09 });
const flensburg = aPlace({ id: 'G3', name: 'Flensburg', country: 'DE', population: 90_000, lat: 54.78, lng: 9.44 });

test('an id returns its record with its names by language, without the codes and romanisations that only find it', () => {
  for (const text of ['icn', 'xan tang', '04500']) assert.deepEqual(idsOf(engine.search(aQuery(text))), ['G1835848']);
  assert.deepEqual(shownFields(engine.get('G1835848')), {
    record: {
      objectID: 'G1835848',
      name: 'Seoul',
      type: 'city',
      country: 'United States',
      countryCode: 'us',
      administrative: ['Texas'],
      county: [],
      population: 10_000_000,
      importance: engine.get('G1835848')?.record.importance,
      timezone: 'Asia/Seoul',
      lat: 37.566,
      lng: 126.9784,
    },
    label: 'Seoul, Texas, United States',
    names: { und: ['Seoul', 'Séoul'], ko: ['서울'], 'zh-Latn': ['Hanchéng'] },
  });
});

test('ids of every source and size are found; unknown and malformed ids are not', () => {
  assert.equal(engine.get('N9007199254740991')?.record.name, 'Taveuni');
  for (const id of ['G1', 'W1835848', 'G01835848', 'g1835848', 'G', '', 'G1.5', 'G-1', 'GG1', 'G1835848 ']) {
    assert.equal(engine.get(id), undefined, id);
  }
});

test('the language decides the names shown, and an unknown language changes nothing', () => {
  const inKorean = engine.get('G1835848', 'ko-KR')?.record;
  assert.deepEqual([inKorean?.name, inKorean?.regions.country], ['서울', '미국']);
  for (const language of ['xx', 'not a tag!', '']) assert.equal(engine.get('G1835848', language)?.record.name, 'Seoul');
});

test('nearest places are ordered by distance across the antimeridian, with distance and bearing', () => {
  const { hits } = engine.reverse({ at: { lat: -16.8, lng: 179.99 }, limit: 2 });
  assert.deepEqual(
    hits.map(({ record }) => record.name),
    ['Labasa', 'Taveuni'],
  );
  assert.deepEqual(
    hits.map((hit) => Math.round(hit.distanceMeters ?? 0)),
    [2129, 4258],
  );
  assert.deepEqual(
    hits.map((hit) => Math.round(hit.bearingDegrees ?? 0)),
    [270, 90],
  );
});

test('the total of nearest places is the number of places of the type, for any page size', () => {
  const at = { lat: 0, lng: 0 };
  const totals = [
    [undefined, 3],
    [['town'], 1],
    [['town', 'hamlet'], 2],
    [['village'], 0],
  ] as const;
  for (const [types, expected] of totals) {
    for (const limit of [1, 2, 20]) {
      const { total, isTotalExact } = engine.reverse({ at, limit, types });
      assert.deepEqual([total, isTotalExact], [expected, true], `${types} ${limit}`);
    }
  }
});

test('a type restricts the nearest places', () => {
  assert.deepEqual(idsOf(engine.reverse({ at: { lat: -16.8, lng: 179.99 }, limit: 5, types: ['hamlet'] })), [fiji.id]);
});

test('a query of coordinates finds the place that they are in', async () => {
  const engine = await anEngine([kiel, kronshagen]);
  const result = engine.search(aQuery('54.35, 10.14', { limit: 2 }));
  assert.deepEqual(idsOf(result), ['G1', 'G2']);
  assert.deepEqual(result.typedPoint, { lat: 54.35, lng: 10.14 });
  assert.deepEqual(
    result.hits.map(({ isInside }) => isInside),
    [true, false],
  );
  assert.deepEqual(idsOf(engine.search(aQuery('54.35, 10.14', { limit: 1, types: ['village'] }))), ['G2']);
  assert.equal(engine.search(aQuery('kiel')).typedPoint, undefined);
});

test('of two possible points, coordinates mean the one in a place, else the one in a country, else the first', async () => {
  const engine = openEngine(await anIndex([kiel, flensburg]), { loadBorders });
  const points = [
    ['[54.3, 10.1]', { lat: 54.3, lng: 10.1 }],
    ['[10.1, 54.3]', { lat: 54.3, lng: 10.1 }],
    ['[20.5, 55.5]', { lat: 55.5, lng: 20.5 }],
    ['[20.5, 30.5]', { lat: 20.5, lng: 30.5 }],
    ['54.3 N, 10.1 O', { lat: 54.3, lng: 10.1 }],
    ['55.5 N, 20.5 O', { lat: 55.5, lng: -20.5 }],
  ] as const;
  for (const [text, point] of points) assert.deepEqual(engine.search(aQuery(text)).typedPoint, point, text);
});

test('the filters of a query apply to coordinates too', async () => {
  const engine = openEngine(await anIndex([kiel, kronshagen, flensburg]), { loadBorders });
  const find = (filters: Partial<SearchQuery>) => {
    const result = engine.search(aQuery('54.35, 10.14', { limit: 5, ...filters }));
    return [idsOf(result), result.total, result.isTotalExact];
  };
  const around = { lat: 54.8, lng: 9.4 };
  assert.deepEqual(find({}), [['G1', 'G2', 'G3'], 3, true]);
  assert.deepEqual(find({ countries: ['FR', 'DE'] }), [['G1', 'G2', 'G3'], 3, true]);
  assert.deepEqual(find({ countries: ['FR'] }), [[], 0, true]);
  assert.deepEqual(find({ around }), [['G1', 'G2', 'G3'], 3, true]);
  assert.deepEqual(find({ around, radiusMeters: 20_000 }), [['G3'], 1, true]);
  assert.deepEqual(find({ box: { south: 54, west: 10, north: 55, east: 10.1 } }), [['G2'], 1, true]);
  const atSea = engine.search(aQuery('40.5, -30.5', { limit: 5, countries: ['DE'] }));
  assert.deepEqual([idsOf(atSea).length, atSea.pointCountry], [3, null]);
});
