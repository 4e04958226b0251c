import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Gazetteer, Place } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { listSpellings } from 'toponym-engine/text/spellings';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { readBundledRegions } from '../../../src/sources/embedded/cities-package.ts';
import { openEmbedded } from '../../../src/sources/embedded/embedded.ts';
import { listedAliases, readFormerRegions } from '../../../src/sources/regions/regions.ts';
import { readTable } from '../../../src/sources/tables.ts';

let gazetteer: Gazetteer;
/** What the tests read of each place, without the rest, which takes memory. */
const places = new Map<string, Omit<Place, 'names'> & { readonly name: string }>();
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
const divisionAliases = readTable('region-aliases');
/** The names of each place that a table names by its GeoNames id and its main name, now or in 2023. */
const namesByCity = new Map<string, string[]>();
/** The name that each of these places shows in a language, by city and language. */
const shownNames = new Map<string, string>();

before(async () => {
  gazetteer = openEmbedded();
  for await (const place of gazetteer.places) {
    const { names, ...facts } = place;
    places.set(place.id, { ...facts, name: names[0]!.value });
    collectNames(place);
  }
});

function collectNames({ id, names, country, timezone, population = 0 }: Place): void {
  const exemplars = exemplarsByTimezone.get(timezone ?? '') ?? [];
  for (const { value } of names) {
    if (population >= MIN_POPULATION) exonymKeys.add(`${country} ${value}`);
    if (exemplars.some(({ name }) => name === value)) exemplarKeys.add(`${timezone} ${value}`);
  }
  const city = names.map(({ value }) => `${value} ${id.slice(1)}`).find((each) => cities.has(each));
  if (!id.startsWith('G') || city === undefined) return;
  namesByCity.set(city, [...new Set(names.map(({ value }) => value))]);
  for (const { value, language } of names.toReversed()) shownNames.set(`${city} ${language}`, value);
}

function regionNames(id: string): (string | undefined)[] {
  const place = places.get(id);
  const nameOf = (key: string | undefined) => gazetteer.regions.find((region) => region.key === key)?.name;
  return [nameOf(place?.admin1), nameOf(place?.admin2)];
}

test('all places of 2023 stay, and those that only the list has are added', () => {
  const { length: added = 0 } = [...places.keys()].filter((id) => id.startsWith('C'));
  assert.equal(places.size - added, 199_568);
  assert.ok(added > 30_000, `${added} new places`);
  assert.deepEqual(gazetteer.report, { rowsRead: places.size, rowsKept: places.size, rejected: new Map() });
});

test('the data has a version with both dates, and an attribution of each source', () => {
  assert.match(gazetteer.version, /^geonames-cities500-2023-03-05-cities1000-(\d{4}-\d\d|v.+)$/);
  assert.match(gazetteer.attribution.join(), /GeoNames.*https:\/\/www\.geonames\.org.*CC BY 4\.0/);
  assert.match(gazetteer.attribution.join(), /SimpleMaps.*https:\/\/simplemaps\.com.*CC BY 4\.0/);
});

test('a file of the places of 2023 that is missing or cut off is an error', (context) => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'dist', 'cities500.txt');
  const error = (found: string) => ({
    name: 'DataPackageError',
    message: new RegExp(`^The data in ${path} cannot be used: ${found}; delete the folder ${folder} `),
  });
  assert.throws(() => openEmbedded(folder), error('it cannot be read: no such file or directory'));
  mkdirSync(join(folder, 'dist'));
  for (const text of ['', '3041563\tAndorra la Vella']) {
    writeFileSync(path, text);
    assert.throws(() => openEmbedded(folder), error('it is cut off'));
  }
});

test('renamed places have the names of today', () => {
  const nameOf = (id: string) => places.get(id)?.name;
  assert.deepEqual(['G964420', 'G1278994', 'G1262321', 'G104515'].map(nameOf), [
    'Gqeberha',
    'Prayagraj',
    'Mysuru',
    'Makkah',
  ]);
});

test('districts at the point of their city are places of their own', () => {
  const found = (name: string, country: string) =>
    [...places.values()].filter((p) => p.name === name && p.country === country);
  for (const [city, country, district] of [
    ['Istanbul', 'TR', 'Aksaray'],
    ['São Paulo', 'BR', 'Republica'],
    ['Turin', 'IT', 'Centro'],
    ['Baltimore', 'US', 'Old Town'],
    ['New York City', 'US', 'Tribeca'],
  ] as const) {
    assert.equal(found(city, country).filter(({ type }) => type === 'city').length, 1, city);
    assert.ok(
      found(district, country).some(({ id, type }) => id.startsWith('C') && type === 'suburban area'),
      district,
    );
  }
});

test('a city that the list has elsewhere, or spells otherwise, is one place', () => {
  for (const [country, name] of [
    ['RU', 'Rostov-on-Don'],
    ['RU', 'Stavropol’'],
    ['BY', 'Bobruysk'],
    ['JP', 'Tsukuba'],
    ['US', 'Newport News'],
    ['CN', 'Yiyang'],
    ['TW', 'Taoyuan City'],
  ] as const) {
    const named = [...places.values()].filter((p) => p.country === country && fold(p.name) === fold(name));
    assert.ok(named.length > 0, name);
    const added = named.filter(({ id }) => id.startsWith('C'));
    assert.deepEqual(added, [], name);
  }
});

test('large new places are cities', () => {
  for (const [name, country] of [
    ['Gimpo-si', 'KR'],
    ['Juazeiro', 'BR'],
    ['Setagaya', 'JP'],
    ['Nansana', 'UG'],
  ] as const) {
    const place = [...places.values()].find((p) => p.name === name && p.country === country && p.id.startsWith('C'));
    assert.equal(place?.type, 'city', name);
    assert.ok(place?.timezone, name);
  }
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

test('places are in the divisions of today, also those that the list lacks', () => {
  assert.deepEqual(regionNames('G2988507'), ['Île-de-France', 'Paris']);
  assert.deepEqual(regionNames('G4717560'), ['Texas', 'Lamar County']);
  // a county of England was split, and the counties of Connecticut abolished
  assert.deepEqual(regionNames('G2641430'), ['England', 'West Northamptonshire']);
  assert.deepEqual(regionNames('G4835797'), ['Connecticut', 'Capitol Planning Region']);
  // the provinces of Vietnam were merged and renumbered
  assert.deepEqual(regionNames('G1581130'), ['Hanoi', undefined]);
  assert.deepEqual(regionNames('G1568574')[0], 'Gia Lai');
  const formerKeys = readFormerRegions().map(({ key }) => key);
  const current = new Set(readBundledRegions().map(({ key }) => key));
  const gone = new Set(formerKeys.filter((key) => !current.has(key)));
  const left = [...places.values()].filter(({ admin1 = '', admin2 = '' }) => gone.has(admin1) || gone.has(admin2));
  assert.deepEqual(left, []);
});

test('former divisions are aliases of those in their place', () => {
  const keysNamed = (alias: string) =>
    gazetteer.regions.filter(({ aliases }) => aliases.includes(alias)).map(({ name }) => name);
  assert.deepEqual(keysNamed('Viken').toSorted(), ['Akershus', 'Buskerud', 'Østfold']);
  for (const half of ['North Northamptonshire', 'West Northamptonshire']) {
    assert.ok(keysNamed('Northamptonshire').includes(half), half);
  }
  assert.deepEqual(keysNamed('Long An'), ['Tay Ninh']);
  assert.deepEqual(keysNamed('SNNPR').length > 1, true);
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

test('two first-level divisions of a country have an alias in common only if it means an area', () => {
  const keysByName = new Map<string, Set<string>>();
  const own = divisionAliases
    .filter(({ meaning }) => meaning === 'region')
    .map(({ region, alias }) => [region, alias] as const);
  for (const [key, name] of [...gazetteer.regions.map(({ key, name }) => [key, name] as const), ...own]) {
    const [country, ...codes] = key.split('.');
    const folded = `${country} ${fold(name)}`;
    if (codes.length === 1) keysByName.set(folded, (keysByName.get(folded) ?? new Set()).add(key));
  }
  const clashes = [...keysByName].filter(([, owners]) => owners.size > 1);
  assert.deepEqual(clashes, []);
});

/** In these scripts the tables have several forms of a name, which are folded onto each other. */
const WITH_FORMS = /\p{Script=Han}|\p{Script=Devanagari}/u;

const areas = new Set(
  divisionAliases.filter(({ meaning }) => meaning === 'area').map(({ region, alias }) => `${region} ${alias}`),
);

test('each alias adds a spelling to its division', () => {
  const useless: string[] = [];
  for (const { key, name } of gazetteer.regions) {
    const known = new Set(listSpellings(name));
    // Kent is also the name of other divisions, so the division Kent has its own name as an alias
    const isSharedName = (alias: string) => alias === name && areas.has(`${key} ${alias}`);
    for (const alias of listedAliases(key, name)) {
      if (WITH_FORMS.test(alias)) continue;
      const spellings = listSpellings(alias);
      if (spellings.every((spelling) => known.has(spelling)) && !isSharedName(alias)) useless.push(`${key} ${alias}`);
      for (const spelling of spellings) known.add(spelling);
    }
  }
  assert.deepEqual(useless, []);
});

test('regions have their code, listed names, names of areas, and what rules make of them', () => {
  const aliases = new Map(gazetteer.regions.map((region) => [region.key, region.aliases]));
  const expected: Record<string, string[]> = {
    'US.TX': ['TX', 'Tex', 'Техас', 'テキサス州'],
    'US.TX.277': ['Lamar'],
    'DE.02': ['Bayern', 'BY', 'Бавария', 'バイエルン'],
    'IT.09.MB': ['MB', 'Brianza'],
    'FR.44.67': ['67', 'Alsace'],
    'GB.ENG.GLA': ['London', 'Middlesex', 'Surrey'],
    'GB.NIR.N09000011': ['County Down', 'Co Down'],
    'JP.20': ['高知県', 'Kochi-ken', 'Kochi Prefecture'],
    'JP.40': ['東京都', 'Tokyo-to'],
    'CN.04': ['江苏', '江苏省', '江蘇省'],
    'RU.71': ['Sverdlovsk', 'Свердловская область', 'Свердловская обл.'],
    'EG.05': ['الغربية', 'محافظة الغربية'],
  };
  for (const [key, names] of Object.entries(expected)) {
    for (const name of names) assert.ok(aliases.get(key)?.includes(name), `${key} ${name}: ${aliases.get(key)}`);
  }
});
