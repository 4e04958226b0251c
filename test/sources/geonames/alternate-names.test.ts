import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlternateNames } from '../../../src/sources/geonames/alternate-names.ts';
import type { AlternateRow } from '../../../src/sources/geonames/alternate-row.ts';
import { seededRandom } from '../../support/seeded-random.ts';

test('the store returns the same names as a plain map', () => {
  const random = seededRandom(7);
  const ids = Uint32Array.from({ length: 300 }, () => 1 + random(1000));
  const store = new AlternateNames(ids);
  const naive = new Map<number, object[]>();
  for (let i = 0; i < 5000; i++) {
    const { geonameId, ...name } = {
      geonameId: 1 + random(1000),
      value: 'ünï🏙'.slice(0, 1 + random(6)) + i,
      kind: (['alternate', 'historic', 'code'] as const)[random(3)] ?? 'code',
      language: ['', 'de', 'zh-Hant'][random(3)] ?? '',
      order: random(16),
    };
    // UTF-8 cannot represent half a surrogate pair
    const value = name.value.toWellFormed();
    store.add({ geonameId, ...name, value } satisfies AlternateRow);
    if (ids.includes(geonameId)) naive.set(geonameId, [...(naive.get(geonameId) ?? []), { ...name, value }]);
  }
  for (let id = 0; id <= 1001; id++) assert.deepEqual(store.get(id), naive.get(id) ?? [], String(id));
});
