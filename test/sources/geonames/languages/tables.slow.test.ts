/** The tables of names by language have no dead entries: each belongs to an embedded place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmbedded } from '../../../../src/sources/embedded.ts';
import ownNames from '../../../../src/sources/geonames/languages/added-names.json' with { type: 'json' };
import cldrNames from '../../../../src/sources/geonames/languages/cldr-names.json' with { type: 'json' };
import divisionNames from '../../../../src/sources/geonames/languages/division-names.json' with { type: 'json' };
import exemplarCities from '../../../../src/sources/geonames/languages/exemplar-cities.json' with { type: 'json' };
import { EXONYMS } from '../../../../src/sources/geonames/languages/exonyms.ts';
import { fold } from '../../../../src/text/fold.ts';

const MIN_POPULATION = 100_000;
const exonymKeys = new Set<string>();
const exemplarKeys = new Set<string>();
const ADDED_TABLES: readonly Record<string, Record<string, string>>[] = [ownNames, cldrNames, divisionNames];
/** The names of each place that is in a table of added names, by its main name and GeoNames id. */
const namesByCity = new Map<string, string[]>();
/** The name that each of these places shows in a language, by city and language. */
const shownNames = new Map<string, string>();
for await (const { id, names, country, timezone, population = 0 } of openEmbedded().places) {
  for (const { value } of names) {
    if (population >= MIN_POPULATION) exonymKeys.add(`${country} ${value}`);
    exemplarKeys.add(`${timezone} ${value}`);
  }
  const city = `${names[0]?.value} ${id.slice(1)}`;
  if (!ADDED_TABLES.some((table) => city in table)) continue;
  namesByCity.set(city, [...new Set(names.map(({ value }) => value))]);
  for (const { value, language } of names.toReversed()) shownNames.set(`${city} ${language}`, value);
}

for (const [language, namesByCountry] of Object.entries(EXONYMS)) {
  test(`every exonym in ${language} is a name of a city`, () => {
    const missing = Object.entries(namesByCountry).flatMap(([country, names]) =>
      names
        .split('|')
        .map((name) => `${country} ${name}`)
        .filter((key) => !exonymKeys.has(key)),
    );
    assert.deepEqual(missing, []);
  });
}

test('every name of a city that a time zone is called after is a name of a place', () => {
  const cities = Object.entries<{ names: Record<string, string> }>(exemplarCities);
  const missing = cities.flatMap(([timezone, { names }]) =>
    Object.values(names)
      .map((name) => `${timezone} ${name}`)
      .filter((key) => !exemplarKeys.has(key)),
  );
  assert.deepEqual(missing, []);
});

test('every city in the tables of added names is a place, and has the names', () => {
  for (const [city, byLanguage] of ADDED_TABLES.flatMap((table) => Object.entries(table))) {
    const names = namesByCity.get(city) ?? [];
    const missing = listNames(byLanguage).filter((name) => !names.includes(name));
    assert.deepEqual(missing, [], city);
  }
});

test('no place has another name equal to one of our own added names', () => {
  for (const [city, byLanguage] of Object.entries<Record<string, string>>(ownNames)) {
    const folded = (namesByCity.get(city) ?? []).map(fold);
    const repeated = listNames(byLanguage).filter(
      (name) => folded.indexOf(fold(name)) !== folded.lastIndexOf(fold(name)),
    );
    assert.deepEqual(repeated, [], city);
  }
});

test('every city that shares its name with a division shows the name of the division', () => {
  for (const [city, byLanguage] of Object.entries<Record<string, string>>(divisionNames)) {
    for (const [language, name] of Object.entries(byLanguage)) {
      assert.equal(shownNames.get(`${city} ${language}`), name);
    }
  }
});

function listNames(byLanguage: Readonly<Record<string, string>>): string[] {
  return Object.values(byLanguage).flatMap((names) => names.split('|'));
}
