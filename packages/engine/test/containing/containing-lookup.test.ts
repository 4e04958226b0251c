import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace, idsOf, namesOf } from '../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { fitInDisc } from '../../src/containing/discs.ts';
import type { LoadBorders } from '../../src/containing/point-countries.ts';
import type { Engine, ReverseQuery, SearchResult } from '../../src/engine.ts';
import { openEngine } from '../../src/open-engine.ts';
import type { Place } from '../../src/place/place.ts';
import { settlementRadiusMeters } from '../../src/place/settlement-radius.ts';
import { distanceMeters, type LatLng, METERS_PER_DEGREE } from '../../src/place/sphere.ts';

/** Germany east of 5°, France west of it; no country north of 60°. */
const loadBorders: LoadBorders = () => ({
  countryAt: (lat, lng) => (lat > 60 ? undefined : lng > 5 ? 'DE' : 'FR'),
  countriesWithinError: (_lat, lng) =>
    (lng < 8 ? ['DE', 'FR'] : []).map((country) => ({ country, meters: 71_700 * Math.abs(lng - 5) })),
  isNear: (country, _lat, lng, degrees = 0) => (country === 'DE' ? lng + degrees > 5 : lng - degrees <= 5),
});

async function engineOf(places: readonly Place[]): Promise<Engine> {
  return openEngine(await anIndex(places), { loadBorders });
}

function containing(engine: Engine, at: LatLng, rest: Partial<ReverseQuery> = {}) {
  return engine.reverse({ at, limit: 20, mode: 'containing', ...rest });
}

function insideOf({ hits }: SearchResult): (boolean | undefined)[] {
  return hits.map(({ isInside }) => isInside);
}

/** The point some kilometres north of 50° N, 8° E. */
function northBy(km: number): LatLng {
  return { lat: 50 + (km * 1000) / METERS_PER_DEGREE, lng: 8 };
}

/** A place in Germany, some kilometres north of 50° N, 8° E. */
function germanPlace(name: string, km: number, fields: Partial<Place> = {}): Place {
  return aPlace({ name, country: 'DE', ...northBy(km), ...fields });
}

const CITY = germanPlace('City', 0, { id: 'G1', type: 'city', population: 250_000 });
const VILLAGE = germanPlace('Village', 4, { id: 'G2', population: 2000 });

test('a city contains a point that is nearer to a village at its edge', async () => {
  const engine = await engineOf([CITY, VILLAGE]);
  const result = containing(engine, northBy(3.1));
  assert.deepEqual(namesOf(result), ['City', 'Village']);
  assert.deepEqual(insideOf(result), [true, false]);
  assert.deepEqual(namesOf(engine.reverse({ at: northBy(3.1), limit: 2 })), ['Village', 'City']);
});

test('a point close to the centre of a village is in the village, although a city surrounds it', async () => {
  const result = containing(await engineOf([CITY, VILLAGE]), northBy(3.9));
  assert.deepEqual(namesOf(result), ['Village', 'City']);
  assert.deepEqual(insideOf(result), [true, true]);
});

test('outside all settlements, the one with the nearest edge in relation to its size comes first', async () => {
  const engine = await engineOf([CITY, germanPlace('Hamlet', 15, { population: 50 })]);
  assert.deepEqual(namesOf(containing(engine, northBy(9))), ['City', 'Hamlet']);
  // 5.3 km from the edge of the city, and 3.5 km from that of the hamlet
  assert.deepEqual(namesOf(containing(engine, northBy(11))), ['City', 'Hamlet']);
  assert.deepEqual(namesOf(containing(engine, northBy(13))), ['Hamlet', 'City']);
  assert.ok(containing(engine, northBy(9)).hits.every(({ isInside }) => isInside === false));
});

test('an airport at the edge of a city is in that city, although another city is nearer', async () => {
  const edgeAirports = [northBy(20)];
  const served = germanPlace('Served', 0, { type: 'city', population: 1_000_000, edgeAirports });
  const other = germanPlace('Other', 28, { id: 'G8', type: 'city', population: 800_000 });
  const engine = await engineOf([served, other]);
  const result = containing(engine, northBy(20.5));
  assert.deepEqual(
    result.hits.map(({ record, isInside }) => [record.name, isInside]),
    [
      ['Served', true],
      ['Other', true],
    ],
  );
  assert.deepEqual(namesOf(containing(engine, northBy(23), { limit: 1 })), ['Other']);
  assert.deepEqual(namesOf(containing(engine, northBy(20), { types: ['village'] })), []);
});

test('beside a simplified border, the nearest place decides the country', async () => {
  const beside = (name: string, km: number, country: string) =>
    aPlace({ name, country, lat: 50, lng: 5 + km / 71.7, population: 20_000, type: 'town' });
  // the river is west of the border, so the German town begins there
  const engine = await engineOf([beside('German', 0.5, 'DE'), beside('French', -1.5, 'FR')]);
  const countryAt = (km: number) => containing(engine, { lat: 50, lng: 5 + km / 71.7 }).pointCountry;
  assert.equal(countryAt(-0.1), 'DE');
  assert.deepEqual(namesOf(containing(engine, { lat: 50, lng: 5 - 0.1 / 71.7 })), ['German']);
  // nearer to the German town, but not by more than the distance from the border
  assert.equal(countryAt(-0.4), 'FR');
  assert.equal(countryAt(0.1), 'DE');
});

test('a place that is far for a border beside the point does not decide the country', async () => {
  const at = { lat: 50, lng: 5 - 0.1 / 71.7 };
  const countryIfGermanIsAt = async (km: number) => {
    const german = germanPlace('German', 0, { lng: 5 + km / 71.7, type: 'city', population: 500_000 });
    const french = aPlace({ name: 'French', lat: 50, lng: 4.95, population: 20_000 });
    return containing(await engineOf([german, french]), at).pointCountry;
  };
  assert.equal(await countryIfGermanIsAt(1), 'DE');
  assert.equal(await countryIfGermanIsAt(1.3), 'FR');
});

test('the other places follow by distance, and a page of one has the first only', async () => {
  const others = [1, 2, 3].map((km) => germanPlace(`At ${km} km`, km + 3, { population: 10 }));
  const engine = await engineOf([CITY, ...others]);
  assert.deepEqual(namesOf(containing(engine, northBy(3.1))), ['City', 'At 1 km', 'At 2 km', 'At 3 km']);
  assert.deepEqual(namesOf(containing(engine, northBy(3.1), { limit: 2 })), ['City', 'At 1 km']);
  assert.deepEqual(namesOf(containing(engine, northBy(3.1), { limit: 1 })), ['City']);
});

test('a point in a suburban area is in its city, except close to the centre of the area', async () => {
  const suburb = germanPlace('Suburb', 4.4, { type: 'suburban area', population: 20_000 });
  const engine = await engineOf([CITY, suburb, germanPlace('Village', 7.2, { population: 1000 })]);
  const outsideDiscOfCity = northBy(6.2);
  const result = containing(engine, outsideDiscOfCity);
  assert.deepEqual(namesOf(result), ['City', 'Village', 'Suburb']);
  assert.deepEqual(insideOf(result), [true, false, true]);
  assert.deepEqual(namesOf(containing(engine, northBy(4.5), { limit: 1 })), ['Suburb']);
  const types = ['suburban area', 'city'] as const;
  assert.deepEqual(namesOf(containing(engine, outsideDiscOfCity, { types, limit: 1 })), ['Suburb']);
});

test('within 300 m of its centre, a suburban area competes with its city', async () => {
  const engine = await engineOf([CITY, germanPlace('Suburb', 4.4, { type: 'suburban area', population: 20_000 })]);
  const firstAt = (meters: number) => namesOf(containing(engine, northBy(4.4 + meters / 1000), { limit: 1 }))[0];
  assert.deepEqual([0, 100, 200, 290, 400].map(firstAt), ['Suburb', 'Suburb', 'Suburb', 'City', 'City']);
});

test('a suburban area of an unknown city comes first only if no settlement contains the point', async () => {
  const suburb = germanPlace('Suburb', 1, { type: 'suburban area', population: 9000 });
  const engine = await engineOf([germanPlace('Town', 0, { type: 'town', population: 10_000 }), suburb]);
  assert.deepEqual(namesOf(containing(engine, northBy(1.4))), ['Town', 'Suburb']);
  assert.deepEqual(namesOf(containing(engine, northBy(1.9))), ['Suburb', 'Town']);
});

test('only places in the country of the point are found', async () => {
  const french = aPlace({ name: 'Across the border', lat: 50, lng: 4.99 });
  const engine = await engineOf([french, germanPlace('Far', 0), germanPlace('Farther', 50)]);
  const result = containing(engine, { lat: 50, lng: 5.01 });
  assert.equal(result.pointCountry, 'DE');
  assert.deepEqual(namesOf(result), ['Far', 'Farther']);
  assert.equal(result.total, 2);
  assert.deepEqual(namesOf(containing(engine, { lat: 50, lng: 5 })), ['Across the border']);
});

test('a country without places in the data has no hits', async () => {
  const result = containing(await engineOf([germanPlace('Somewhere', 0)]), { lat: 50, lng: 4 });
  assert.deepEqual([result.pointCountry, result.hits.length, result.total], ['FR', 0, 0]);
});

test('no border applies to a point that is in no country', async () => {
  const coast = [aPlace({ name: 'French', lat: 59, lng: 4 }), germanPlace('German', 0, { lat: 59, lng: 5.5 })];
  const result = containing(await engineOf(coast), { lat: 61, lng: 4.5 });
  assert.equal(result.pointCountry, null);
  assert.deepEqual(namesOf(result), ['French', 'German']);
});

test('an area that the data gives to another country than the borders belongs to the country of the data', async () => {
  // the borders give the area around 8° E to Germany, the data gives it to Britain
  const islanders = [0, 5, 10].map((km) => germanPlace(`British ${km}`, km, { country: 'GB' }));
  const mainland = germanPlace('German', 0, { lng: 12 });
  const claimed = containing(await engineOf([...islanders, mainland]), northBy(1));
  assert.deepEqual([claimed.pointCountry, ...namesOf(claimed)], ['GB', 'British 0', 'British 5', 'British 10']);
  const single = await engineOf([islanders[0]!, mainland]);
  assert.deepEqual(namesOf(containing(single, northBy(9))), ['British 0']);
  // a single place far away may have wrong coordinates
  const far = containing(single, northBy(11));
  assert.deepEqual([far.pointCountry, ...namesOf(far)], ['DE', 'German']);
});

test('the data decides the country only if the country by the borders has no place within 10 km', async () => {
  const british = [1, 2].map((km) => germanPlace(`British ${km}`, km, { country: 'GB' }));
  const countryIfGermanIsAt = async (km: number) => {
    const engine = await engineOf([...british, germanPlace('German', -km, { population: 0 })]);
    return containing(engine, northBy(0)).pointCountry;
  };
  // the disc of the German village has a radius of 500 m
  assert.equal(await countryIfGermanIsAt(5), 'DE');
  assert.equal(await countryIfGermanIsAt(10.4), 'DE');
  assert.equal(await countryIfGermanIsAt(10.6), 'GB');
});

test('places less than 0.1° from their country do not decide the country of the point', async () => {
  const german = germanPlace('German', 0, { lng: 12 });
  const countryIfFrenchAreAt = async (lng: number) => {
    const french = [0, 0.01].map((degrees) => aPlace({ lat: 50 + degrees, lng }));
    return containing(await engineOf([...french, german]), { lat: 50, lng: lng + 0.01 }).pointCountry;
  };
  assert.equal(await countryIfFrenchAreAt(5.05), 'DE');
  assert.equal(await countryIfFrenchAreAt(5.09), 'DE');
  assert.equal(await countryIfFrenchAreAt(5.11), 'FR');
});

test('types filter the settlement and the others, and the total', async () => {
  const engine = await engineOf([CITY, VILLAGE]);
  const result = containing(engine, northBy(3.1), { types: ['village'] });
  assert.deepEqual([namesOf(result), result.total], [['Village'], 1]);
});

test('a type that the country lacks has no hits, whatever was searched before', async () => {
  const engine = await engineOf([CITY, VILLAGE, aPlace({ name: 'French', type: 'town', lat: 50, lng: 4 })]);
  for (const before of [northBy(1), { lat: 50, lng: 4 }]) {
    containing(engine, before);
    const result = containing(engine, northBy(1), { types: ['town'] });
    assert.deepEqual([result.pointCountry, result.hits.length, result.total], ['DE', 0, 0]);
  }
});

test('the mode nearest does not load the borders, and the mode containing loads them once', async () => {
  let loads = 0;
  const countLoads: LoadBorders = () => {
    loads++;
    return loadBorders();
  };
  const engine = openEngine(await anIndex([CITY]), { loadBorders: countLoads });
  const nearest = engine.reverse({ at: northBy(0), limit: 1 });
  assert.deepEqual([loads, nearest.pointCountry, nearest.hits[0]?.isInside], [0, undefined, undefined]);
  containing(engine, northBy(0));
  containing(engine, northBy(1));
  assert.equal(loads, 1);
});

test('without borders, every point is in no country', async () => {
  const engine = openEngine(await anIndex([CITY, aPlace({ name: 'French', ...northBy(20) })]));
  assert.deepEqual([containing(engine, northBy(1)).pointCountry, containing(engine, northBy(1)).total], [null, 2]);
});

test('a city contains a point by a suburban area', async () => {
  const suburb = germanPlace('Suburb', 4.4, { id: 'G5', type: 'suburban area', population: 20_000 });
  const village = germanPlace('Village', 7.2, { id: 'G6', population: 1000 });
  const engine = await engineOf([CITY, suburb, village]);
  const result = containing(engine, northBy(6.2));
  assert.deepEqual(
    result.hits.map(({ record, isInside }) => [record.name, isInside]),
    [
      ['City', true],
      ['Village', false],
      ['Suburb', true],
    ],
  );
  assert.equal(result.total, 3);
  assert.deepEqual(namesOf(containing(engine, northBy(6.2), { limit: 1 })), ['City']);
  assert.deepEqual(namesOf(containing(engine, northBy(4.5), { limit: 1 })), ['Suburb']);
});

test('a suburban area without a city comes after a settlement that contains the point', async () => {
  const suburb = germanPlace('Suburb', 4.4, { type: 'suburban area', population: 20_000 });
  const engine = await engineOf([suburb, germanPlace('Village', 6.8, { population: 1000 })]);
  assert.deepEqual(namesOf(containing(engine, northBy(6.2))), ['Village', 'Suburb']);
});

test('the settlement is the one that a search of all places finds', async () => {
  const random = seededRandom(17);
  const share = () => random(1_000_000) / 1_000_000;
  const places = Array.from({ length: 600 }, (_, i) => {
    const lng = 4 + share() * 2;
    // mostly villages, some cities
    const population = Math.round(10 ** (2 + share() ** 2 * 5));
    return aPlace({ id: `G${i + 1}`, lat: 49 + share() * 2, lng, country: lng > 5 ? 'DE' : 'FR', population });
  });
  const engine = await engineOf(places);
  for (let i = 0; i < 500; i++) {
    const at = { lat: 49 + share() * 2, lng: 4 + share() * 2 };
    const fitOf = ({ lat, lng, type, population = 0 }: Place) =>
      fitInDisc(distanceMeters(at.lat, at.lng, lat, lng), Math.round(settlementRadiusMeters(type, population)));
    const ofCountry = places.filter(({ country }) => country === (at.lng > 5 ? 'DE' : 'FR'));
    const best = ofCountry.reduce((a, b) => (fitOf(b) < fitOf(a) ? b : a));
    assert.deepEqual(idsOf(containing(engine, at, { limit: 1 })), [best.id], JSON.stringify(at));
  }
});

test('the search for the settlement stops when its work budget is used up', async () => {
  const villages = Array.from({ length: 200 }, (_, i) => germanPlace('Village', i / 10));
  const index = await anIndex([...villages, germanPlace('Town', 30, { type: 'town' })]);
  const query = { limit: 1, types: ['town'] } as const;
  const whole = containing(openEngine(index, { loadBorders }), northBy(0), query);
  assert.deepEqual([namesOf(whole), whole.isExhaustive, whole.work], [['Town'], true, 201]);
  const cut = containing(openEngine(index, { loadBorders, maxWork: 50 }), northBy(0), query);
  assert.deepEqual([namesOf(cut), cut.isExhaustive, cut.work], [[], false, 50]);
});

test('in a country of few places, the nearest are in the order of a search in the tree', async () => {
  const few = Array.from({ length: 30 }, (_, i) => germanPlace(`Place ${i}`, ((i * 7) % 30) * 10));
  const many = Array.from({ length: 200 }, (_, i) => aPlace({ lat: 45 + i / 100, lng: 3 }));
  const engine = await engineOf([...few, ...many]);
  const nearest = few.toSorted((a, b) => a.lat - b.lat).map(({ id }) => id);
  assert.deepEqual(idsOf(containing(engine, { lat: 49.9, lng: 8 })), nearest.slice(0, 20));
});
