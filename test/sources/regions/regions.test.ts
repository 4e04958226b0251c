import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMER_REGIONS } from '../../../src/sources/regions/former-regions.ts';
import { createRegions, type RegionRow } from '../../../src/sources/regions/regions.ts';

function aliasesAmong(rows: readonly RegionRow[], key: string): readonly string[] | undefined {
  return createRegions(rows).find((region) => region.key === key)?.aliases;
}

test('aliases of former provinces of Vietnam do not apply to the provinces that have their codes now', () => {
  const former = aliasesAmong(FORMER_REGIONS, 'VN.20');
  for (const alias of ['HCMC', 'Saigon', 'Ho Chi Minh City']) assert.ok(former?.includes(alias), alias);
  assert.deepEqual(aliasesAmong([{ key: 'VN.20', name: 'Lạng Sơn Province' }], 'VN.20'), ['Lạng Sơn']);
  assert.deepEqual(aliasesAmong([{ key: 'VN.44', name: 'Quang Tri' }], 'VN.44'), []);
  assert.deepEqual(aliasesAmong([{ key: 'VN.66', name: 'Dak Lak' }], 'VN.66'), []);
});

function aliasesOf(key: string, name: string): readonly string[] {
  return createRegions([{ key, name }])[0]?.aliases ?? [];
}

test('codes are aliases where people type them', () => {
  assert.ok(aliasesOf('US.TX', 'Texas').includes('TX'));
  assert.ok(aliasesOf('FR.11.93', 'Seine-Saint-Denis').includes('93'));
  assert.ok(aliasesOf('FR.94.2A', 'South Corsica').includes('2A'));
  assert.ok(aliasesOf('IT.09.MB', 'Provincia di Monza e della Brianza').includes('MB'));
});

test('other codes are no aliases', () => {
  assert.ok(!aliasesOf('FR.11', 'Île-de-France').includes('11'));
  assert.ok(!aliasesOf('US.TX.113', 'Dallas County').includes('113'));
  assert.ok(!aliasesOf('ES.56.B', 'Província de Barcelona').includes('B'));
});

test('a name that several divisions share is an alias of each', () => {
  for (const key of ['GB.ENG.J7', 'GB.ENG.H3', 'GB.ENG.L9']) {
    const aliases = aliasesOf(key, 'A district');
    for (const alias of ['Yorkshire', 'Yorks']) assert.ok(aliases.includes(alias), `${key} ${alias}`);
  }
  assert.ok(!aliasesOf('GB.ENG.G5', 'Kent').includes('Yorkshire'));
});

test('a division has its listed aliases, their variants and its name without a generic word', () => {
  assert.deepEqual(aliasesOf('IE.L.30', 'Wexford County'), ['County Wexford', 'Loch Garman', 'Co Wexford', 'Wexford']);
});

test('a division without listed aliases has only names that follow a rule', () => {
  assert.deepEqual(aliasesOf('US.TX.113', 'Dallas County'), ['Dallas']);
});
