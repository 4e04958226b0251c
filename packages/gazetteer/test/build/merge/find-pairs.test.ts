import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from 'toponym-engine/place/place';
import { aPlace } from '../../../../../test/support/an-engine.ts';
import { seededRandom } from '../../../../../test/support/seeded-random.ts';
import { costByName, costBySharedId, findPairs } from '../../../src/build/merge/find-pairs.ts';
import { PlaceStore } from '../../../src/build/place-store.ts';

/** Many places near the antimeridian and the pole, where coordinates say little about distances. */
function aCrowd(count: number): PlaceStore {
  const random = seededRandom(9);
  const store = new PlaceStore();
  for (let i = 0; i < count; i++) {
    store.add(
      aPlace({
        id: `${'GNF'[random(3)]}${i + 1}`,
        name: `Name ${random(8)}`,
        alternateNames: [`Name ${random(8)}`, `Other ${random(3)}`],
        type: (['city', 'town', 'village', 'suburban area'] as const)[random(4)] as Place['type'],
        population: random(4) === 0 ? 2_000_000 : 5000,
        country: ['FR', 'DE'][random(2)] as string,
        lat: random(2) === 0 ? 89.7 + random(30) / 100 : random(60) / 100,
        lng: random(2) === 0 ? 179.8 + random(20) / 100 : -180 + random(20) / 100,
        ...(random(3) === 0 ? { externalIds: [`wd:Q${random(60)}`, `gn:${1 + random(count)}`] } : {}),
      }),
    );
  }
  return store;
}

test('the pairs are those found by comparing all rows with each other', () => {
  const store = aCrowd(400);
  const rows = Uint32Array.from({ length: store.length }, (_, row) => row);
  const datasetBit = (row: number) => 1 << (store.idLetter(row) & 31);
  const expected = new Set<string>();
  const idsOf = (row: number) => {
    const { id, externalIds = [] } = store.place(row);
    return new Set(id.startsWith('G') ? [...externalIds, `gn:${id.slice(1)}`] : externalIds);
  };
  for (const a of rows) {
    for (const b of rows.subarray(a + 1)) {
      if (datasetBit(a) === datasetBit(b)) continue;
      const others = idsOf(b);
      const shared = [...idsOf(a)].some((id) => others.has(id)) ? costBySharedId(store, a, b) : undefined;
      for (const cost of [shared, costByName(store, a, b)]) {
        if (cost !== undefined) expected.add(`${[a, b].sort()} ${cost}`);
      }
    }
  }
  const found = findPairs(store, rows, { datasetBit, onProgress: () => {} });
  assert.ok(expected.size > 100);
  assert.deepEqual(new Set(found.map(({ a, b, cost }) => `${[a, b].sort()} ${cost}`)), expected);
  assert.deepEqual(
    found.map(({ cost }) => cost),
    found.map(({ cost }) => cost).sort((x, y) => x - y),
  );
});
