import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../../test/support/seeded-random.ts';
import { KeyTable } from '../../../src/build/names/key-table.ts';

test('distinct keys are numbered in the order of addition, and those in use are sorted by code units', () => {
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
  const isUsed = (number: number) => number % 5 !== 0;
  const { keys: sortedKeys, order, rank } = table.sort(isUsed);
  const sorted = Array.from(order, (_, i) =>
    String.fromCharCode(...sortedKeys.letters.subarray(sortedKeys.begin[i], sortedKeys.end[i])),
  );
  const used = [...numbers].filter(([, number]) => isUsed(number)).map(([key]) => key);
  assert.deepEqual(sorted, used.sort());
  assert.deepEqual(
    sorted.map((key) => numbers.get(key)),
    [...order],
  );
  assert.deepEqual(
    sorted.map((key) => rank[numbers.get(key) as number]),
    sorted.map((_, i) => i),
  );
});
