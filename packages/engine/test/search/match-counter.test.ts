import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, anIndex, aPlace, aQuery } from '../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import type { SearchQuery } from '../../src/engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { openEngine } from '../../src/open-engine.ts';
import type { Place } from '../../src/place/place.ts';
import { METERS_PER_DEGREE } from '../../src/place/sphere.ts';
import { naiveMatches } from './naive-matches.ts';

/** Up to 90 places of this name and a number, one degree apart, the first on the equator. */
function somePlaces(count: number, name: string, rest: Partial<Place> = {}): Place[] {
  return Array.from({ length: count }, (_, i) => aPlace({ name: `${name} ${i}`, lat: i, lng: 0, ...rest }));
}

test('a place that matches in several ways counts once, also in a circle', async () => {
  const engine = await anEngine(somePlaces(60, 'Texas', { country: 'US', admin1: 'US.TX' }));
  const around = { lat: 0, lng: 0 };
  // each word of "texas texas" may be the name and the other the region
  for (const query of [{}, { around }, { around, radiusMeters: 20_000_000 }, { countries: ['US'] }]) {
    const { total, isTotalExact } = engine.search(aQuery('texas texas', query));
    assert.deepEqual([total, isTotalExact], [60, true], JSON.stringify(query));
  }
});

test('a place with several matching names counts once', async () => {
  const places = Array.from({ length: 50 }, (_, i) =>
    aPlace({ name: `Bar ${i}`, lat: i, alternateNames: [`Bare ${i}`, `Old Bar ${i}`, `Barra Bar ${i}`] }),
  );
  const engine = await anEngine(places);
  assert.deepEqual(totalOf(engine.search(aQuery('bar'))), [50, true]);
  assert.deepEqual(totalOf(engine.search(aQuery('bar', { types: ['village'] }))), [50, true]);
});

test('only places that pass the filters count', async () => {
  const engine = await anEngine([
    ...somePlaces(40, 'Bar', { country: 'FR', type: 'village' }),
    ...somePlaces(30, 'Bar', { country: 'DE', type: 'town' }),
    ...somePlaces(80, 'Other', { country: 'DE', type: 'town' }),
  ]);
  const totals: readonly (readonly [number, Partial<SearchQuery>])[] = [
    [70, {}],
    [40, { countries: ['FR'] }],
    [30, { types: ['town', 'city'] }],
    [0, { countries: ['FR'], types: ['town'] }],
    [60, { around: { lat: 0, lng: 0 }, radiusMeters: 29.5 * METERS_PER_DEGREE }],
    [30, { around: { lat: 0, lng: 0 }, radiusMeters: 29.5 * METERS_PER_DEGREE, types: ['village'] }],
  ];
  for (const [expected, query] of totals) {
    for (const limit of [1, 5, 20]) {
      assert.deepEqual(totalOf(engine.search(aQuery('bar', { ...query, limit }))), [expected, true]);
    }
  }
});

test('a settlement listed twice counts once if the page shows all matches', async () => {
  const engine = await anEngine([
    aPlace({ name: 'Bar', lat: 47 }),
    aPlace({ name: 'Bar', lat: 47.01 }),
    aPlace({ name: 'Bar', lat: 48 }),
  ]);
  const result = engine.search(aQuery('bar'));
  assert.deepEqual([result.hits.length, ...totalOf(result)], [2, 2, true]);
});

test('totals of long ranges are exact or close estimates', async () => {
  const random = seededRandom(9);
  const syllables = ['ba', 'be', 'bo', 'bi', 'ra', 'ri', 'ta', 'no'];
  const aWord = () => `b${syllables[random(8)]}${syllables[random(8)]}${syllables[random(8)]}`;
  const countries = ['US', 'US', 'US', 'DE', 'FR'];
  const bytes = await anIndex(
    Array.from({ length: 4000 }, (_, i) => {
      const country = countries[random(countries.length)]!;
      return aPlace({
        id: `G${i + 1}`, // ids order equal places, so those of other tests must not matter
        name: aWord(),
        alternateNames: Array.from({ length: random(6) }, aWord),
        country,
        ...(country === 'US' ? { admin1: ['US.TX', 'US.IL', 'US.NY'][random(3)]! } : {}),
        type: random(4) === 0 ? 'town' : 'village',
        lat: random(1400) / 10 - 70,
        lng: random(3600) / 10 - 180,
      });
    }),
  );
  const engine = openEngine(bytes);
  const matchesOf = naiveMatches(openIndex(bytes));
  const estimated: string[] = [];
  const circle = { around: { lat: 40, lng: 0 }, radiusMeters: 12_000_000 };
  for (const filter of [{}, { countries: ['DE'] }, { types: ['town'] as const }, circle]) {
    for (const text of ['b', 'bb', 'bba', 'bbe', 'b texas', 'texas bba', 'b us', 'bba illinois', 'new york bbo']) {
      const query = aQuery(text, filter);
      const { total, isTotalExact } = engine.search(query);
      const truth = matchesOf(query).size;
      const label = `${JSON.stringify(query)}: ${total} instead of ${truth}`;
      if (isTotalExact) assert.equal(total, truth, label);
      else assert.ok(Math.abs(total - truth) <= 0.2 * truth, label);
      assert.deepEqual(totalOf(engine.search(query)), [total, isTotalExact], label);
      if (!isTotalExact) estimated.push(text);
    }
  }
  // without a filter the count of a long range is kept, so it may cost more
  assert.ok(engine.search(aQuery('b')).isTotalExact);
  assert.ok(estimated.length >= 5, `only ${estimated} were estimated`);
});

function totalOf({ total, isTotalExact }: { total: number; isTotalExact: boolean }): [number, boolean] {
  return [total, isTotalExact];
}
