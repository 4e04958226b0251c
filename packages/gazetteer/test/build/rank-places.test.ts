import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place, PlaceName } from 'toponym-engine/place/place';
import { aPlace } from '../../../../test/support/an-engine.ts';
import { PlaceStore } from '../../src/build/place-store.ts';
import { computeImportance, rankPlaces } from '../../src/build/rank-places.ts';

const TOWN = { population: 10_000, nameCount: 1, scriptCount: 1, adminRank: 0 };

test('people, names, scripts and the rank as a seat add to the importance, up to 1', () => {
  const base = computeImportance(TOWN);
  for (const more of [{ population: 20_000 }, { nameCount: 2 }, { scriptCount: 2 }, { adminRank: 1 }]) {
    assert.ok(computeImportance({ ...TOWN, ...more }) > base, JSON.stringify(more));
  }
  assert.ok(computeImportance({ population: 40_000_000, nameCount: 400, scriptCount: 30, adminRank: 5 }) <= 1);
  assert.ok(computeImportance({ population: 0, nameCount: 1, scriptCount: 1, adminRank: 0 }) >= 0);
});

for (const [title, more, less] of [
  ['a place known in many scripts beats one of twice its size', { scriptCount: 8 }, { population: 20_000 }],
  ['a city of twice the size beats the seat of a division', { population: 8e6 }, { population: 4e6, adminRank: 3 }],
] as const) {
  test(title, () => assert.ok(computeImportance({ ...TOWN, ...more }) > computeImportance({ ...TOWN, ...less })));
}

test('beyond seven million people, more make a city no more important', () => {
  const large = computeImportance({ ...TOWN, population: 8_000_000 });
  assert.equal(computeImportance({ ...TOWN, population: 16_000_000 }), large);
});

test('a name in two languages counts as one name', () => {
  const importanceWith = (...languages: string[]) => {
    const store = new PlaceStore();
    const names = languages.map((language) => ({ value: 'Paris', kind: 'alternate' as const, language }));
    store.add({ ...aPlace(), names: [{ value: 'Lutetia', kind: 'main' }, ...names] });
    return rankPlaces(store, Uint32Array.of(0)).importance[0]!;
  };
  assert.equal(importanceWith('de', 'fr'), importanceWith('de'));
  assert.ok(importanceWith('de') > importanceWith());
});

test('a likely population counts as much as a known one', () => {
  const importanceOf = (place: Place) => {
    const store = new PlaceStore();
    store.add(place);
    return rankPlaces(store, Uint32Array.of(0)).importance[0]!;
  };
  const { population: _, ...unknown } = aPlace();
  const known = importanceOf({ ...unknown, population: 150_000 });
  assert.equal(importanceOf({ ...unknown, likelyPopulation: 150_000 }), known);
  assert.ok(known > importanceOf({ ...unknown, population: 100 }));
});

test('an unranked name makes a place no more important', () => {
  const importanceWith = (...names: PlaceName[]) => {
    const store = new PlaceStore();
    store.add({ ...aPlace(), names: [{ value: 'Lutetia', kind: 'main' }, ...names] });
    return rankPlaces(store, Uint32Array.of(0)).importance[0]!;
  };
  const paris = { value: 'પેરિસ', kind: 'alternate', language: 'gu' } as const;
  assert.equal(importanceWith({ ...paris, isUnranked: true }), importanceWith());
  assert.ok(importanceWith(paris) > importanceWith());
});
