import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCountries, findCountryCode } from '../../../src/sources/regions/countries.ts';

const countries = createCountries();
const byCode = new Map(countries.map((country) => [country.code, country]));

test('the table has the 249 countries of ISO 3166-1 and Kosovo, with distinct names and codes', () => {
  assert.equal(countries.length, 250);
  assert.equal(byCode.size, 250);
  assert.equal(new Set(countries.map(({ name }) => name)).size, 250);
  for (const { code, name } of countries) {
    assert.match(code, /^[A-Z]{2}$/);
    assert.notEqual(name, code);
  }
  const alpha3Codes = countries.map(({ aliases }) => aliases[0] ?? '');
  for (const code of alpha3Codes) assert.match(code, /^[A-Z]{3}$/);
  assert.equal(new Set(alpha3Codes).size, 250);
});

test('countries have the aliases that people type', () => {
  const expected: Record<string, string[]> = {
    DE: ['DEU', 'Deutschland', 'Allemagne', 'Alemania', 'Niemcy', 'Германия', 'ドイツ', '德国', '독일', 'ألمانيا'],
    GB: ['GBR', 'UK', 'U.K.', 'Great Britain', 'Royaume-Uni', 'Großbritannien'],
    US: ['USA', 'U.S.', 'U.S.A.', 'America', 'États-Unis', 'アメリカ'],
    NL: ['Holland', 'Nederland'],
    MM: ['Burma', 'Birmanie'],
    RE: ['974'],
    SJ: ['Svalbard and Jan Mayen'],
    CI: ['Ivory Coast'],
    CZ: ['Czech Republic', 'Česko'],
    SZ: ['Swaziland'],
    TR: ['Türkiye', 'Turkey'],
    KR: ['South Korea', '대한민국', '한국'],
    CD: ['DR Congo', 'Congo-Kinshasa'],
    AE: ['UAE'],
    EG: ['Egipt', 'Ägypten', 'مصر'],
  };
  for (const [code, names] of Object.entries(expected)) {
    const country = byCode.get(code);
    for (const name of names) assert.ok(country?.name === name || country?.aliases.includes(name), `${code} ${name}`);
  }
});

test('no alias equals the name or another alias', () => {
  for (const { name, aliases } of countries) {
    assert.equal(new Set([name, ...aliases]).size, aliases.length + 1, name);
  }
});

test('a country is found by its codes or a name in any language, but not by a name that two countries have', () => {
  const found = ['de', 'DEU', ' Allemagne ', 'DR Congo', 'Congo-Brazzaville', 'NGA'].map(findCountryCode);
  assert.deepEqual(found, ['DE', 'DE', 'DE', 'CD', 'CG', 'NG']);
  const unknown = ['Congo', 'Kongo', 'Nga', 'Atlantis', ''].map(findCountryCode);
  assert.deepEqual(unknown, Array(5).fill(undefined));
});
