import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from '../../support/edit-distance.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { slip } from './slips.ts';

const random = seededRandom(1);
const slips = (name: string, country: string) => Array.from({ length: 3000 }, () => slip(name, random, country));

test('a slip is one edit, or a spelling that sounds like the right one', () => {
  const distances = slips('philadelphia', 'US').map((text) => editDistance('philadelphia', text));
  assert.deepEqual([...new Set(distances)].sort(), [1, 2]);
  assert.ok(distances.filter((distance) => distance === 2).length < 300);
  assert.ok(slips('philadelphia', 'US').includes('filadelphia'));
});

test('the first letter is seldom wrong', () => {
  const wrong = slips('berlin', 'DE').filter((text) => !text.startsWith('b'));
  assert.ok(wrong.length > 0 && wrong.length < 300, `${wrong.length} of 3000`);
});

test('the keyboard is that of the country', () => {
  assert.ok(slips('lyon', 'FR').includes('lton') && slips('lyon', 'DE').includes('lxon'));
  assert.ok(!slips('lyon', 'DE').includes('lton'));
});
