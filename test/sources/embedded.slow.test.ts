import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildIndex } from '../../src/build/build-index.ts';
import { packIndex } from '../../src/index-file/pack-index.ts';
import type { Gazetteer, Place } from '../../src/place/place.ts';
import { openEmbedded } from '../../src/sources/embedded.ts';
import { filterPlaces } from '../../src/sources/filter.ts';
import { readTable } from '../../src/sources/tables.ts';
import { fold } from '../../src/text/fold.ts';

let gazetteer: Gazetteer;
/** What the tests read of each place, without the rest, which takes memory. */
const places = new Map<string, Pick<Place, 'type' | 'country'> & Record<'admin1' | 'admin2', string | undefined>>();
/** The tables of names by language have no dead entries: each belongs to an embedded place. */
const MIN_POPULATION = 100_000;
const exonymKeys = new Set<string>();
const exemplarCities = readTable('exemplar-cities');
const exemplarsByTimezone = Map.groupBy(exemplarCities, ({ timezone }) => timezone);
const exemplarKeys = new Set<string>();
const ownNames = readTable('city-names');
const divisionNames = readTable('division-city-names');
const addedNames = [...ownNames, ...readTable('timezone-city-names'), ...divisionNames];
const cities = new Set(
  [...addedNames, ...readTable('nicknames'), ...readTable('airports'), ...readTable('airport-positions')].map(
    ({ city, id }) => `${city} ${id}`,
  ),
);
/** The names of each place that a table names by its main name and GeoNames id. */
const namesByCity = new Map<string, string[]>();
/** The name that each of these places shows in a language, by city and language. */
const shownNames = new Map<string, string>();

/** An index of cities of 15,000 people and more, made of the same reading of the data. */
let cities15000: Awaited<ReturnType<typeof buildIndex>>;

before(async () => {
  gazetteer = openEmbedded();
  const report = { rowsRead: 0, rowsKept: 0, rejected: new Map() };
  const collected: Gazetteer = { ...gazetteer, report, places: collectPlaces() };
  cities15000 = await buildIndex(filterPlaces(collected, { minPopulation: 15_000 }));
});

async function* collectPlaces(): AsyncGenerator<Place> {
  for await (const place of gazetteer.places) {
    const { id, type, country, admin1, admin2 } = place;
    places.set(id, { type, country, admin1, admin2 });
    collectNames(place);
    yield place;
  }
}

function collectNames({ id, names, country, timezone, population = 0 }: Place): void {
  const exemplars = exemplarsByTimezone.get(timezone ?? '') ?? [];
  for (const { value } of names) {
    if (population >= MIN_POPULATION) exonymKeys.add(`${country} ${value}`);
    if (exemplars.some(({ name }) => name === value)) exemplarKeys.add(`${timezone} ${value}`);
  }
  const city = `${names[0]?.value} ${id.slice(1)}`;
  if (!cities.has(city)) return;
  namesByCity.set(city, [...new Set(names.map(({ value }) => value))]);
  for (const { value, language } of names.toReversed()) shownNames.set(`${city} ${language}`, value);
}

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
  for (const [id, place] of places) {
    assert.ok(place.admin1 === undefined || keys.has(place.admin1), id);
    assert.ok(place.admin2 === undefined || keys.has(place.admin2), id);
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

test('every exonym is a name of a city', () => {
  const missing = readTable('exonyms').filter(({ country, name }) => !exonymKeys.has(`${country} ${name}`));
  assert.deepEqual(missing, []);
});

test('every name of a city that a time zone is called after is a name of a place', () => {
  const missing = exemplarCities.filter(({ timezone, name }) => !exemplarKeys.has(`${timezone} ${name}`));
  assert.deepEqual(missing, []);
});

test('every city in the tables is a place, and has the names', () => {
  assert.deepEqual([...cities].sort(), [...namesByCity.keys()].sort());
  const names = [...addedNames, ...readTable('nicknames'), ...readTable('airports')];
  const missing = names.filter(({ city, id, name }) => !namesByCity.get(`${city} ${id}`)?.includes(name));
  assert.deepEqual(missing, []);
});

test('no place has another name equal to one of our own added names', () => {
  const fromDivisions = new Set(divisionNames.map(({ city, id, name }) => `${city} ${id} ${name}`));
  const repeated = ownNames.filter(({ city, id, name }) => {
    const names = namesByCity.get(`${city} ${id}`) ?? [];
    const folded = names.filter((other) => !fromDivisions.has(`${city} ${id} ${other}`)).map(fold);
    return folded.indexOf(fold(name)) !== folded.lastIndexOf(fold(name));
  });
  assert.deepEqual(repeated, []);
});

test('every city that shares its name with a division shows the name of the division', () => {
  const hidden = divisionNames.filter(({ city, id, language, name }) => {
    return shownNames.get(`${city} ${id} ${language}`) !== name;
  });
  assert.deepEqual(hidden, []);
});

test('cities of 15,000 people and more are a download of at most 6 MB', () => {
  const { chunks, report } = cities15000;
  assert.ok(report.places > 25_000, `${report.places} places`);
  const index = new SharedArrayBuffer(report.bytes);
  new Uint8Array(index).set(Buffer.concat(chunks));
  // build --static compresses at level 9, which takes longer and makes less of it
  const { length } = gzipSync(Buffer.concat(packIndex(index)), { level: 6 });
  assert.ok(length <= 6_000_000, `${length} bytes`);
});
