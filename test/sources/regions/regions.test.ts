import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMER_REGIONS } from '../../../src/sources/regions/former-regions.ts';
import { createRegions, type RegionRow } from '../../../src/sources/regions/regions.ts';

function aliasesOf(rows: readonly RegionRow[], key: string): readonly string[] | undefined {
  return createRegions(rows).find((region) => region.key === key)?.aliases;
}

test('aliases of former provinces of Vietnam do not apply to the provinces that have their codes now', () => {
  const former = aliasesOf(FORMER_REGIONS, 'VN.20');
  for (const alias of ['HCMC', 'Saigon', 'Ho Chi Minh City']) assert.ok(former?.includes(alias), alias);
  assert.deepEqual(aliasesOf([{ key: 'VN.20', name: 'Lạng Sơn Province' }], 'VN.20'), ['Lạng Sơn']);
  assert.deepEqual(aliasesOf([{ key: 'VN.44', name: 'Quang Tri' }], 'VN.44'), []);
  assert.deepEqual(aliasesOf([{ key: 'VN.66', name: 'Dak Lak' }], 'VN.66'), []);
});
