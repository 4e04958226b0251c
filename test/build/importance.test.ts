import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeImportance } from '../../src/build/importance.ts';

const TOWN = { population: 10_000, nameCount: 1, scriptCount: 1, adminRank: 0 };

test('people, names, scripts and the rank as a seat add to the importance', () => {
  const base = computeImportance(TOWN);
  for (const more of [{ population: 20_000 }, { nameCount: 2 }, { scriptCount: 2 }, { adminRank: 1 }]) {
    assert.ok(computeImportance({ ...TOWN, ...more }) > base, JSON.stringify(more));
  }
});

test('a place known in many scripts is more important than one of twice its size', () => {
  const known = computeImportance({ ...TOWN, scriptCount: 8 });
  assert.ok(known > computeImportance({ ...TOWN, population: 20_000 }));
});

test('a city of twice the size is more important than the seat of a division', () => {
  const city = computeImportance({ ...TOWN, population: 8_000_000 });
  assert.ok(city > computeImportance({ ...TOWN, population: 4_000_000, adminRank: 3 }));
});

test('beyond seven million people, more make a city no more important', () => {
  const large = computeImportance({ ...TOWN, population: 8_000_000 });
  assert.equal(computeImportance({ ...TOWN, population: 16_000_000 }), large);
});

test('importance is from 0 to 1', () => {
  const most = { population: 40_000_000, nameCount: 400, scriptCount: 30, adminRank: 5 };
  assert.ok(computeImportance(most) <= 1);
  assert.ok(computeImportance({ population: 0, nameCount: 1, scriptCount: 1, adminRank: 0 }) >= 0);
});
