/** The tables of names by language have no dead entries: each is a name of an embedded place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmbedded } from '../../../../src/sources/embedded.ts';
import exemplarCities from '../../../../src/sources/geonames/languages/exemplar-cities.json' with { type: 'json' };
import exonyms from '../../../../src/sources/geonames/languages/exonyms.json' with { type: 'json' };

const MIN_POPULATION = 100_000;
const exonymKeys = new Set<string>();
const exemplarKeys = new Set<string>();
for await (const { names, country, timezone, population = 0 } of openEmbedded().places) {
  for (const { value } of names) {
    if (population >= MIN_POPULATION) exonymKeys.add(`${country} ${value}`);
    exemplarKeys.add(`${timezone} ${value}`);
  }
}

for (const [language, namesByCountry] of Object.entries<Record<string, string>>(exonyms)) {
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
