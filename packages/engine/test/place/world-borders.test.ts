import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iso1A2Code, iso1A2Codes } from '@rapideditor/country-coder';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { COUNTRY_CODES } from 'toponym-gazetteer/sources/regions/countries';
import { seededRandom } from '../../../../test/support/seeded-random.ts';

const borders = loadWorldBorders();

test('territories have their own codes, if these are official', () => {
  const codes: [string, number, number, string | undefined][] = [
    ['Paris', 48.85, 2.35, 'FR'],
    ['London', 51.5, -0.12, 'GB'],
    ['Hong Kong', 22.3, 114.17, 'HK'],
    ['San Juan', 18.4, -66.1, 'PR'],
    ['Guadeloupe', 16.2, -61.6, 'GP'],
    ['Ceuta', 35.89, -5.31, 'ES'],
    ['Las Palmas', 28.1, -15.43, 'ES'],
    ['Ascension', -7.93, -14.4, 'SH'],
    ['Pristina', 42.66, 21.16, 'XK'],
    ['Vatican City', 41.9029, 12.4534, 'VA'],
    ['Antarctica', -80, 0, 'AQ'],
    ['Pacific Ocean', -35, -120, undefined],
    ['the North Pole', 90, 0, undefined],
  ];
  for (const [name, lat, lng, code] of codes) assert.equal(borders.countryAt(lat, lng), code, name);
});

test('a territory is near its country, too', () => {
  for (const [country, code, lat, lng] of [
    ['FR', 'RE', -21.1, 55.5],
    ['CN', 'HK', 22.3, 114.17],
    ['NL', 'AW', 12.5, -69.97],
  ] as const) {
    assert.deepEqual(
      [country, code, 'DE'].map((near) => borders.isNear(near, lat, lng)),
      [true, true, false],
      code,
    );
  }
});

test('the borders are loaded once', () => {
  assert.equal(loadWorldBorders(), borders);
});

test('the longitudes 180 and -180 are in the same country', () => {
  for (const lng of [180, -180]) {
    assert.equal(borders.countryAt(-16.8, lng), 'FJ');
    assert.equal(borders.countryAt(68.9, lng), 'RU');
    assert.equal(borders.countryAt(30, lng), undefined);
  }
});

test('the country of a point is the one that country-coder finds, except in Northern Cyprus', () => {
  assert.equal(borders.countryAt(35.3364, 33.3182), 'CY');
  const random = seededRandom(11);
  const share = () => random(1_000_000) / 1_000_000;
  for (let i = 0; i < 20_000; i++) {
    // most points are around the Low Countries, where borders are dense
    const [lat, lng] =
      i % 4 === 0 ? [share() * 180 - 90, share() * 360 - 180] : [50.3 + share() * 1.5, 4.2 + share() * 2.5];
    const territory = iso1A2Code([lng, lat], { level: 'territory' });
    const isOfficial = territory !== null && COUNTRY_CODES.has(territory);
    const expected = isOfficial ? territory : iso1A2Code([lng, lat]);
    const found = borders.countryAt(lat, lng) ?? null;
    if (found === 'CY' && expected === null) continue; // Northern Cyprus
    assert.equal(found, expected, `${lat},${lng}`);
  }
});

test('a country is near a point if it is within the degrees given', () => {
  const [lat, lng] = [49.26, 7.0]; // 8 km from France
  assert.equal(borders.isNear('FR', lat, lng), false);
  assert.equal(borders.isNear('FR', lat, lng, 0.1), true);
  assert.equal(borders.isNear('DE', lat, lng), true);
});

test('the countries near a point are those that country-coder finds in the box around it', () => {
  const random = seededRandom(12);
  const codes = ['BE', 'DE', 'FR', 'LU', 'NL'];
  for (let i = 0; i < 2000; i++) {
    const [lat, lng] = [49 + random(300) / 100, 4 + random(300) / 100];
    const degrees = (1 + random(20)) / 100;
    const found = iso1A2Codes([lng - degrees, lat - degrees, lng + degrees, lat + degrees]);
    for (const code of codes) {
      assert.equal(borders.isNear(code, lat, lng, degrees), found.includes(code), `${code} ${lat},${lng} ${degrees}`);
    }
  }
});

test('near a simplified border, a point may be in the countries on both sides', () => {
  const countriesAt = (lat: number, lng: number) => {
    return new Set(borders.countriesWithinError(lat, lng).map(({ country }) => country));
  };
  // the simplified border is east of the river between Görlitz and Zgorzelec
  assert.deepEqual(countriesAt(51.15, 15), new Set(['DE', 'PL']));
  assert.ok(borders.countriesWithinError(51.15, 15).every(({ meters }) => meters < 100));
  assert.deepEqual(countriesAt(51.15, 15.02), new Set());
  assert.deepEqual(countriesAt(47, 2), new Set());
});

test('where a border has short edges, it is exact', () => {
  const [lat, lng] = [41.9022, 12.4583]; // St. Peter's Square
  assert.equal(borders.countryAt(lat, lng - 0.002), 'VA');
  assert.equal(borders.countryAt(lat, lng + 0.002), 'IT');
  assert.ok(borders.countriesWithinError(lat, lng - 0.002).every(({ meters }) => meters < 100));
});
