import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from '../../bench/engine/edit-distance.ts';
import { editDistance as textbookDistance } from '../support/edit-distance.ts';
import { seededRandom } from '../support/seeded-random.ts';

test('an insertion, deletion, substitution or transposition is one edit, and edits add up', () => {
  const typed = ['paris', 'parris', 'pars', 'pabis', 'apris', 'parsi', '', 'aprsi'];
  assert.deepEqual(
    typed.map((text) => editDistance(text, 'paris')),
    [0, 1, 1, 1, 1, 1, 5, 2],
  );
  assert.equal(editDistance('san fransicso', 'san francisco'), 2);
  assert.deepEqual(
    [editDistance('pairs', 'paris'), editDistance('pasxri', 'pairs'), editDistance('peridpgnan', 'perpignan')],
    [1, 3, 2],
  );
});

test('distances equal those of the textbook algorithm', () => {
  const random = seededRandom(1);
  const aText = () => Array.from({ length: random(9) }, () => 'abc'[random(3)]).join('');
  for (let i = 0; i < 2000; i++) {
    const [a, b] = [aText(), aText()];
    assert.equal(editDistance(a, b), textbookDistance(a, b), `${a} ${b}`);
  }
});

test('a text of more than 64 letters has the maximum distance', () => {
  const long = 'a'.repeat(65);
  assert.deepEqual([editDistance(long, long), editDistance('a', 'a'.repeat(64))], [64, 63]);
});
