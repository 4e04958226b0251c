import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from 'toponym-engine/place/place';
import { anEngine, aPlace, type PlaceSketch } from '../../../../test/support/an-engine.ts';

/** A kilometre from south to north, in degrees of latitude. */
const KM = 1 / 111.2;

/** Names of the cities that the suburban areas A, B, … belong to. */
async function citiesOf(suburbs: readonly Place[], cities: readonly Place[]): Promise<(string | undefined)[]> {
  const engine = await anEngine([...suburbs, ...cities]);
  return suburbs.map(({ id }) => engine.get(id)?.record.city);
}

/** At 40,-90 in a county of Illinois. */
const WHERE = { lat: 40, lng: -90, country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' } as const;

/** A city of a million people, whose radius is 14.6 km in its own county, else 8.9 km. */
function aCity(rest: PlaceSketch = {}): Place {
  return aPlace({ ...WHERE, name: 'Metropolis', type: 'city', population: 1_000_000, ...rest });
}

function aSuburb(rest: PlaceSketch = {}): Place {
  return aPlace({ ...WHERE, name: 'Downtown', type: 'suburban area', ...rest });
}

function withoutCounty({ admin2, ...place }: Place): Place {
  return place;
}

test('a suburban area belongs to a city of its county up to the radius of the city', async () => {
  const suburbs = [aSuburb({ lat: 40 + 14 * KM }), aSuburb({ lat: 40 - 15.2 * KM })];
  assert.deepEqual(await citiesOf(suburbs, [aCity()]), ['Metropolis', undefined]);
});

test('the radius is smaller if the county of the city or of the suburban area is unknown', async () => {
  const suburbs = [aSuburb({ lat: 40 + 8 * KM }), aSuburb({ lat: 40 - 10 * KM })];
  assert.deepEqual(await citiesOf(suburbs, [withoutCounty(aCity())]), ['Metropolis', undefined]);
  assert.deepEqual(await citiesOf(suburbs.map(withoutCounty), [aCity()]), ['Metropolis', undefined]);
});

test('a city in another state or country does not count', async () => {
  const { admin1, ...elsewhere } = withoutCounty(aSuburb({ country: 'FR' }));
  const suburbs = [aSuburb({ admin1: 'US.TX' }), elsewhere];
  assert.deepEqual(await citiesOf(suburbs, [aCity()]), [undefined, undefined]);
});

test('a city in another county counts if it has a million people and no other city qualifies', async () => {
  const suburbs = [aSuburb({ lat: 40 + 8 * KM }), aSuburb({ lat: 40 - 10 * KM })];
  const largest = aCity({ admin2: 'US.IL.1' });
  const large = aCity({ admin2: 'US.IL.1', population: 999_999 });
  const nearest = aCity({ name: 'Smallville', population: 100_000, lat: 40 + 6 * KM });
  assert.deepEqual(await citiesOf(suburbs, [largest]), ['Metropolis', undefined]);
  assert.deepEqual(await citiesOf(suburbs, [large]), [undefined, undefined]);
  assert.deepEqual(await citiesOf(suburbs, [largest, nearest]), ['Smallville', undefined]);
});

test('of several cities, the one with the most people per kilometre of distance is taken', async () => {
  const borough = aCity({ name: 'Borough', population: 100_000, lat: 40 + 5 * KM });
  const neighbor = aCity({ name: 'Neighbor', population: 800_000, lat: 40 + 12 * KM });
  const suburbs = [aSuburb({ lat: 40 + 5.1 * KM }), aSuburb({ lat: 40 + 11 * KM })];
  assert.deepEqual(await citiesOf(suburbs, [aCity(), borough, neighbor]), ['Metropolis', 'Neighbor']);
});

test('a city has 50,000 people or more, has more than the suburban area, and is none itself', async () => {
  const town = aCity({ name: 'Town', population: 49_999 });
  const small = aCity({ name: 'Small', population: 110_000 });
  const suburbs = [aSuburb({ population: 120_000 }), aSuburb({ population: 100_000 })];
  assert.deepEqual(await citiesOf(suburbs, [town]), [undefined, undefined]);
  assert.deepEqual(await citiesOf(suburbs, [small]), [undefined, 'Small']);
});

test('other places belong to no city', async () => {
  assert.deepEqual(await citiesOf([aSuburb({ type: 'village' })], [aCity()]), [undefined]);
});
