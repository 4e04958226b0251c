import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexFormatError } from '../../../src/index-file/format-error.ts';
import { checkAge, compareVersions } from '../../../src/serve/reload/new-data.ts';

test('versions of the same data are compared by their dates', () => {
  assert.ok(compareVersions('geonames-cities500-2026-05-01', 'geonames-cities500-2026-05-02') < 0);
  assert.ok(compareVersions('geonames-cities500-2027-01-01', 'geonames-cities500-2026-12-31') > 0);
  assert.ok(compareVersions('a-2026-01-01+b-2026-02-02', 'a-2026-01-01+b-2026-02-01') > 0);
});

test('versions without dates, with mixed dates or of other data do not tell', () => {
  const pairs = [
    ['one', 'two'],
    ['a-2026-05-01', 'a-2026-05-01'],
    ['geonames-cities500-2026-05-01', 'geonames-allCountries-2026-05-02'],
    ['a-2026-01-02+b-2026-02-01', 'a-2026-01-01+b-2026-02-02'],
    ['a-2026-01-02', 'a-2026-01-02+b-2026-02-02'],
  ] as const;
  for (const [a, b] of pairs) assert.equal(compareVersions(a, b), 0, `${a} ${b}`);
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
