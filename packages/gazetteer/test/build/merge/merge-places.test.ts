import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from 'toponym-engine/place/place';
import { aGazetteer, anEngine, aPlace, shownFields } from '../../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../../test/support/seeded-random.ts';
import { buildIndex } from '../../../src/build/build-index.ts';
import { mergeRecords } from '../../../src/build/merge/merge-places.ts';

/** A kilometre in degrees of latitude. */
const KM = 1 / 111.2;

async function mergeCounts(places: readonly Place[]) {
  const { report } = await buildIndex(aGazetteer(places));
  return { places: report.places, ...report.merged };
}

test('nearby records of two sources with the same name become one place with the GeoNames id', async () => {
  const engine = await anEngine([
    aPlace({
      id: 'N7',
      name: 'Villefort',
      lat: 44.44,
      alternateNames: [{ value: 'Vilafòrt', kind: 'alternate', language: 'oc' }],
    }),
    aPlace({ id: 'G3', name: 'Villefort', lat: 44.44 + 2 * KM, timezone: 'Europe/Paris' }),
  ]);
  assert.equal(engine.dataset.places, 1);
  const full = engine.get('G3');
  assert.deepEqual(full?.names, { und: ['Villefort'], oc: ['Vilafòrt'] });
  assert.equal(full?.supersededBy, undefined);
  assert.deepEqual(engine.get('N7'), { ...full, supersededBy: 'G3' });
});

test('embedded places without a GeoNames id are not merged with those that have one, but with other sources', async () => {
  const records = ['C9', 'G3', 'N7'].map((id) => aPlace({ id, name: 'Villefort', lat: 44.44 }));
  const [embedded, geonames, osm] = records as [Place, Place, Place];
  assert.equal((await mergeCounts([embedded, geonames])).places, 2);
  const engine = await anEngine([osm, embedded]);
  assert.equal(engine.get('N7')?.supersededBy, 'C9');
});

test('a merged place has the first extent that contains its point', async () => {
  const boxOf = async (...norths: (number | undefined)[]) => {
    const records = norths.map((north, i) => {
      const box = north === undefined ? {} : { box: { south: 46, west: 1, north, east: 3 } };
      return aPlace({ id: `${'GNF'[i]}1`, name: 'Villefort', lat: i === 0 ? 47 : 46.999, ...box });
    });
    const engine = await anEngine(records);
    assert.equal(engine.dataset.places, 1);
    return engine.get('G1')?.record.box.north;
  };
  assert.equal(await boxOf(undefined, 48, 49), 48);
  assert.equal(await boxOf(49, 48), 49);
  assert.equal(await boxOf(undefined, 46.9995, 49), 49);
});

test('a merged place has the airports of all its records', () => {
  const airport = { lat: 47.1, lng: 2 };
  const merged = mergeRecords([aPlace({ id: 'N1' }), aPlace({ id: 'G1', edgeAirports: [airport] })]);
  assert.deepEqual(merged.edgeAirports, [airport]);
});

test('the allowed distance depends on the size of the smaller place', async () => {
  const pair = (type: Place['type'], km: number, more: Partial<Place> = {}) => [
    aPlace({ id: 'G1', name: 'Ham', type, lat: 50, ...more }),
    aPlace({ id: 'N1', name: 'Ham', type, lat: 50 + km * KM, ...more }),
  ];
  const cases: [Place[], number][] = [
    [pair('village', 3.9), 1],
    [pair('village', 4.1), 2],
    [pair('town', 7.9), 1],
    [pair('town', 8.1), 2],
    [pair('city', 14.9), 1],
    [pair('city', 15.1), 2],
    [pair('city', 24.9, { population: 2_000_000 }), 1],
    [pair('city', 25.1, { population: 2_000_000 }), 2],
    [[...pair('city', 5).slice(0, 1), ...pair('hamlet', 5).slice(1)], 2],
    [[...pair('city', 2).slice(0, 1), ...pair('hamlet', 2).slice(1)], 1],
  ];
  for (const [places, expected] of cases) {
    assert.equal((await mergeCounts(places)).places, expected, JSON.stringify(places));
  }
});

test('folded names in any language are compared if one of the two is a main name', async () => {
  const merges = async (a: Partial<Parameters<typeof aPlace>[0]>, b: Partial<Parameters<typeof aPlace>[0]>) =>
    (await mergeCounts([aPlace({ id: 'G1', ...a }), aPlace({ id: 'N1', ...b })])).places === 1;
  assert.ok(await merges({ name: 'Zürich' }, { name: 'ZURICH' }));
  assert.ok(await merges({ name: 'Athens', alternateNames: ['Αθήνα'] }, { name: 'Αθήνα' }));
  assert.ok(
    !(await merges({ name: 'Obersee', alternateNames: ['See'] }, { name: 'Untersee', alternateNames: ['See'] })),
  );
  const code = { value: 'Ham', kind: 'code' } as const;
  assert.ok(!(await merges({ name: 'Hamburg', alternateNames: [code] }, { name: 'Ham' })));
});

test('places in another country, of the same source, or suburban areas stay separate', async () => {
  const home = aPlace({ id: 'G1', name: 'Baarle' });
  assert.equal((await mergeCounts([home, aPlace({ id: 'N1', name: 'Baarle', country: 'DE' })])).places, 2);
  assert.equal((await mergeCounts([home, aPlace({ id: 'N1', name: 'Baarle', type: 'suburban area' })])).places, 2);
  assert.equal((await mergeCounts([home, aPlace({ id: 'G2', name: 'Baarle' })])).places, 2);
  const osm = ['N1', 'W1', 'R1'].map((id) => aPlace({ id, name: 'Baarle' }));
  assert.equal((await mergeCounts(osm)).places, 3);
});

test('only the more similar of two records of one source is merged', async () => {
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Ham', type: 'city', lat: 50 }),
    aPlace({ id: 'N1', name: 'Ham', type: 'hamlet', lat: 50 + 1 * KM }),
    aPlace({ id: 'N2', name: 'Ham', type: 'city', lat: 50 + 5 * KM }),
  ]);
  assert.equal(engine.get('N2')?.supersededBy, 'G1');
  assert.equal(engine.get('N1')?.supersededBy, undefined);
  assert.equal(engine.dataset.places, 2);
});

test('a shared external id merges records of any name and type, unless they are far apart', async () => {
  const byWikidata = (more: Partial<Place>) => [
    aPlace({ id: 'G1', name: 'Peking', externalIds: ['wd:Q956'] }),
    aPlace({ id: 'N1', name: '北京市', type: 'suburban area', externalIds: ['wd:Q956'], ...more }),
  ];
  assert.deepEqual(await mergeCounts(byWikidata({})), { places: 1, bySharedId: 1, byName: 0 });
  assert.equal((await mergeCounts(byWikidata({ lat: 48 }))).places, 2);
  const byGeonamesId = [aPlace({ id: 'G5', name: 'Aix' }), aPlace({ id: 'N1', name: 'Aachen', externalIds: ['gn:5'] })];
  assert.deepEqual(await mergeCounts(byGeonamesId), { places: 1, bySharedId: 1, byName: 0 });
});

test('three records become one place, whose fields follow the documented order', async () => {
  const engine = await anEngine([
    aPlace({ id: 'F9', name: 'Springfield', lat: 39.81, lng: -89.64, country: 'US', adminRank: 4, population: 99 }),
    aPlace({
      id: 'N2', name: 'Springfield', lat: 39.8, lng: -89.65, country: 'US', admin1: 'US.IL', admin2: 'US.IL.167',
      type: 'town', population: 114_000, timezone: 'America/Chicago',
      alternateNames: [{ value: 'Спрингфилд', kind: 'alternate', language: 'ru' }, { value: 'Calhoun', kind: 'historic' }],
    }), // biome-ignore format: a record
    aPlace({
      id: 'G4', name: 'Springfield', lat: 39.79, lng: -89.66, country: 'US', type: 'hamlet', population: undefined as never,
      alternateNames: ['Спрингфилд', { value: 'Calhoun', kind: 'romanized' }],
    }), // biome-ignore format: a record
  ]);
  const full = engine.get('F9');
  assert.deepEqual(shownFields(full), {
    record: {
      objectID: 'G4',
      name: 'Springfield',
      type: 'town',
      country: 'United States',
      countryCode: 'us',
      administrative: ['Illinois'],
      county: ['Sangamon County'],
      population: 114_000,
      importance: full?.record.importance,
      timezone: 'America/Chicago',
      lat: 39.79,
      lng: -89.66,
    },
    label: 'Springfield, Illinois, United States',
    names: { und: ['Springfield', 'Calhoun'], ru: ['Спрингфилд'] },
    supersededBy: 'G4',
  });
});

test('a place is found by the names of all its records', async () => {
  const engine = await anEngine([
    aPlace({ id: 'G1', name: 'Cologne', alternateNames: ['Köln'] }),
    aPlace({ id: 'N1', name: 'Köln', alternateNames: ['Kölle'] }),
  ]);
  const { hits } = engine.search({ text: 'kölle', limit: 5 });
  assert.deepEqual(
    hits.map(({ record }) => record.objectID),
    ['G1'],
  );
});

test('merging does not depend on the order of the input', async () => {
  const random = seededRandom(11);
  const places = Array.from({ length: 400 }, (_, i) => {
    const letter = 'GNWRFX'[random(6)] as string;
    return aPlace({
      id: `${letter}${i + 1}`,
      name: `Name ${random(12)}`,
      type: (['city', 'town', 'village', 'hamlet'] as const)[random(4)] as Place['type'],
      lat: 47 + random(40) / 100,
      lng: 2 + random(40) / 100,
      ...(random(5) === 0 ? { externalIds: [`wd:Q${random(30)}`] } : {}),
    });
  });
  const one = await buildIndex(aGazetteer(places));
  const other = await buildIndex(aGazetteer(places.toSorted((a, b) => (a.id < b.id ? 1 : -1))));
  assert.ok(one.report.merged.byName > 20 && one.report.merged.bySharedId > 5, JSON.stringify(one.report.merged));
  assert.deepEqual(Buffer.concat(one.chunks), Buffer.concat(other.chunks));
});
