import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexFormatError } from '../../../src/index-file/open-index.ts';
import { checkAge, compareVersions } from '../../../src/serve/reload/new-data.ts';

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

test('Last-Modified decides only if the versions do not', () => {
  const check = (version: string, servedVersion: string, isBackdated: boolean) =>
    checkAge(version, { indexPath: '/state/world.toponym', servedVersion, isBackdated });
  check('a-2026-05-02', 'a-2026-05-01', true);
  check('ndjson', 'ndjson', false);
  assert.throws(() => check('a-2026-05-01', 'a-2026-05-02', false), {
    name: IndexFormatError.name,
    message:
      'the index holds data a-2026-05-01, and a-2026-05-02 is being served. To go back to older data, delete /state/world.toponym and restart the service',
  });
  assert.throws(
    () => check('ndjson', 'ndjson', true),
    /holds data ndjson with an earlier Last-Modified, and ndjson is/,
  );
});
