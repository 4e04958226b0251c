import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Gazetteer } from '../../src/place/gazetteer.ts';
import type { Place } from '../../src/place/place.ts';
import { openEmbedded } from '../../src/sources/embedded.ts';

let gazetteer: Gazetteer;
const places = new Map<string, Place>();

before(async () => {
  gazetteer = openEmbedded();
  for await (const place of gazetteer.places) places.set(place.id, place);
});

function regionNames(id: string): (string | undefined)[] {
  const place = places.get(id);
  const nameOf = (key: string | undefined) => gazetteer.regions.find((region) => region.key === key)?.name;
  return [nameOf(place?.admin1), nameOf(place?.admin2)];
}

test('all rows of the embedded file are places', () => {
  assert.equal(places.size, 199_568);
  assert.deepEqual(gazetteer.report, { rowsRead: 199_568, rowsKept: 199_568, rejected: new Map() });
});

test('the data has a dated version and an attribution', () => {
  assert.equal(gazetteer.version, 'geonames-cities500-2023-03-05');
  assert.match(gazetteer.attribution.join(), /GeoNames.*https:\/\/www\.geonames\.org.*CC BY 4\.0/);
});

test('a row without a feature code is a place', () => {
  assert.equal(places.get('G6269202')?.type, 'hamlet');
});

test('all divisions and countries of places are in the tables', () => {
  const keys = new Set(gazetteer.regions.map((region) => region.key));
  const codes = new Set(gazetteer.countries.map((country) => country.code));
  for (const place of places.values()) {
    assert.ok(place.admin1 === undefined || keys.has(place.admin1), place.id);
    assert.ok(place.admin2 === undefined || keys.has(place.admin2), place.id);
    assert.ok(codes.has(place.country), place.country);
  }
});

test('places are in the divisions at the date of the data', () => {
  assert.deepEqual(regionNames('G2988507'), ['Île-de-France', 'Paris']);
  assert.deepEqual(regionNames('G4717560'), ['Texas', 'Lamar County']);
  // abolished: a county of England, and the counties of Connecticut
  assert.deepEqual(regionNames('G2641430'), ['England', 'Northamptonshire']);
  assert.deepEqual(regionNames('G4835797'), ['Connecticut', 'Hartford County']);
  // renumbered: in the newer table these codes are Quảng Trị, Lạng Sơn and Thừa Thiên Huế
  assert.deepEqual(regionNames('G1581130'), ['Hà Nội', undefined]);
  assert.deepEqual(regionNames('G1566083'), ['Hồ Chí Minh', undefined]);
  assert.deepEqual(regionNames('G1568574'), ['Bình Định', undefined]);
});

test('region keys are unique', () => {
  assert.equal(new Set(gazetteer.regions.map((region) => region.key)).size, gazetteer.regions.length);
});
