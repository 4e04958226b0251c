/** Searches in a box are compared with brute force, over places at poles and the antimeridian. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { anEngine, aPlace, aQuery, idsOf } from '../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import type { Engine, SearchQuery } from '../../src/engine.ts';
import { type BoundingBox, boxBetween } from '../../src/place/bounding-box.ts';
import { PLACE_TYPES, type Place } from '../../src/place/place.ts';
import { distanceMeters } from '../../src/place/sphere.ts';

const PLACES = 3000;
const FULL_PAGE = 20;

let places: Place[];
let engine: Engine;

before(async () => {
  const random = seededRandom(5);
  places = Array.from({ length: PLACES }, (_, i) =>
    aPlace({
      id: `G${i + 1}`,
      name: `San ${String.fromCharCode(97 + (i % 26))}${i}`,
      type: PLACE_TYPES[random(PLACE_TYPES.length)]!,
      country: random(2) === 0 ? 'FR' : 'DE',
      population: 1 + random(1_000_000),
      ...aPoint(random),
    }),
  );
  engine = await anEngine(places);
});

test('hits and totals in a box equal brute force', () => {
  const random = seededRandom(6);
  let nonEmpty = 0;
  for (let round = 0; round < 400; round++) {
    const box = aBox(random);
    const query = aQuery(random(2) === 0 ? 'san' : '', { box, ...aFilter(random) });
    const wanted = places.filter((place) => passes(place, query)).map(({ id }) => id);
    const { hits, total, isTotalExact, isExhaustive } = engine.search(query);
    const label = JSON.stringify(query);
    const found = hits.map(({ objectID }) => objectID);
    assert.ok(isExhaustive, label);
    if (isTotalExact) assert.equal(total, wanted.length, label);
    else assert.ok(wanted.length > 26, label); // an estimate: more places than candidates
    assert.equal(found.length, Math.min(FULL_PAGE, wanted.length), label);
    assert.deepEqual(
      found.filter((id) => !wanted.includes(id)),
      [],
      label,
    );
    assert.deepEqual(idsOf(engine.search({ ...query, limit: 3 })), found.slice(0, 3), label);
    if (wanted.length > 0) nonEmpty++;
  }
  assert.ok(nonEmpty > 150, `only ${nonEmpty} boxes have places`);
});

test('browsing a box shows its most important places first', () => {
  const box = { south: -90, west: 170, north: 90, east: -170 };
  const inBox = (lng: number) => lng >= 170 || lng <= -170;
  const wanted = places
    .filter(({ lng }) => inBox(lng))
    .map(({ id }) => ({ id, importance: engine.get(id)!.record.importance }))
    .sort((a, b) => b.importance - a.importance);
  const shown = engine.search(aQuery('', { box })).hits.map(({ record }) => record.importance);
  assert.deepEqual(
    shown,
    wanted.slice(0, FULL_PAGE).map(({ importance }) => importance),
  );
});

test('in a box, a point moves nearby places up and hides none', async () => {
  const village = { population: 500, lat: 47 };
  const few = await anEngine([
    aPlace({ id: 'G1', name: 'Dole', lng: 1.1, ...village }),
    aPlace({ id: 'G2', name: 'Dole', lng: 9, ...village, population: 900 }),
    aPlace({ id: 'G3', name: 'Dole', lng: 30, ...village }),
  ]);
  const box = { south: 40, west: 0, north: 50, east: 10 };
  const around = { lat: 47, lng: 1 };
  for (const text of ['dole', '']) {
    assert.deepEqual(idsOf(few.search(aQuery(text, { box }))), ['G2', 'G1'], text);
    assert.deepEqual(idsOf(few.search(aQuery(text, { box, around }))), ['G1', 'G2'], text);
  }
});

test('a short prefix with a box is not answered from the cache of short prefixes', () => {
  const everywhere = engine.search(aQuery('sa'));
  const box = { south: 0, west: 0, north: 0.001, east: 0.001 };
  assert.deepEqual(idsOf(engine.search(aQuery('sa', { box }))), []);
  assert.deepEqual(idsOf(engine.search(aQuery('sa'))), idsOf(everywhere));
});

test('the explanation counts the box as a filter', () => {
  const box = { south: -90, west: -180, north: 90, east: 180 };
  const [hit] = engine.search(aQuery('san', { box, types: ['city'], explain: true })).hits;
  assert.equal(hit?.ranking?.filters, 2);
});

/** A third of the points are near a pole and a third near the antimeridian. */
function aPoint(random: (limit: number) => number): { lat: number; lng: number } {
  const lat = random(1_800_001) / 10_000 - 90;
  const lng = random(3_600_001) / 10_000 - 180;
  const kind = random(3);
  if (kind === 0) return { lat: Math.sign(lat) * (90 - random(20_000) / 10_000), lng };
  if (kind === 1) return { lat: lat / 4, lng: Math.sign(lng) * (180 - random(20_000) / 10_000) };
  return { lat, lng };
}

function aBox(random: (limit: number) => number): BoundingBox {
  const first = aPoint(random);
  if (random(3) === 0) return boxBetween(first, aPoint(random));
  const lat = Math.max(-90, Math.min(90, first.lat + random(40_000) / 10_000 - 2));
  const lng = first.lng + random(40_000) / 10_000 - 2;
  return boxBetween(first, { lat, lng: lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng });
}

function aFilter(random: (limit: number) => number): Partial<SearchQuery> {
  const filters: Partial<SearchQuery>[] = [
    {},
    {},
    { types: ['city', 'town'] },
    { countries: ['DE'] },
    { around: aPoint(random), radiusMeters: 1 + random(5_000_000) },
    { around: aPoint(random), radiusMeters: 20_000_000, types: ['village'] },
  ];
  return filters[random(filters.length)]!;
}

function passes({ lat, lng, type, country }: Place, query: SearchQuery): boolean {
  const { box, types, countries, around, radiusMeters } = query;
  if (types !== undefined && !types.includes(type)) return false;
  if (countries !== undefined && !countries.includes(country)) return false;
  if (around && radiusMeters && distanceMeters(around.lat, around.lng, lat, lng) > radiusMeters) return false;
  if (box === undefined) return true;
  // degrees east of the western edge, so that the antimeridian is no special case
  const degreesEast = (lng - box.west + 720) % 360;
  const width = box.east - box.west === 360 ? 360 : (box.east - box.west + 720) % 360;
  return lat >= box.south && lat <= box.north && degreesEast <= width + 1e-9;
}
