import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyTable } from '../../../src/build/names/key-table.ts';
import { seededRandom } from '../../support/seeded-random.ts';

test('distinct keys are numbered in the order of addition and sorted by code units', () => {
  const random = seededRandom(3);
  const letters = ['a', 'b', ' ', 'é', 'ш', '北', '\u{10400}', '\uffee'];
  const keys = Array.from({ length: 20_000 }, () =>
    Array.from({ length: random(9) }, () => letters[random(random(2) === 0 ? 2 : letters.length)]).join(''),
  );
  const table = new KeyTable();
  const numbers = new Map<string, number>();
  for (const key of keys) {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    assert.equal(table.add(key), numbers.get(key));
  }
  const { letters: sortedLetters, begin, end, rank } = table.sort();
  const sorted = Array.from(begin, (start, i) => String.fromCharCode(...sortedLetters.subarray(start, end[i])));
  assert.deepEqual(sorted, [...numbers.keys()].sort());
  assert.deepEqual(
    sorted.map((key) => rank[numbers.get(key) as number]),
    sorted.map((_, i) => i),
  );
});
