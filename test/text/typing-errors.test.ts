import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypingErrors } from '../../src/text/typing-errors.ts';
import { editDistance } from '../support/edit-distance.ts';
import { seededRandom } from '../support/seeded-random.ts';

const errors = new TypingErrors();

/** The word among others, as it lies among the letters of a name. */
function isWithin(most: number, typed: string, word: string, isPrefix = false): boolean {
  const list = [...`ab${word}cba`].map((letter) => letter.charCodeAt(0));
  return errors.isWithin(typed, { list, from: 2, to: 2 + word.length }, { most, isPrefix });
}

test('a letter added, lost, replaced, or swapped with the next is one error', () => {
  for (const typed of ['parris', 'pars', 'pabis', 'apris', 'parsi', 'paris']) assert.ok(isWithin(1, typed, 'paris'));
  for (const typed of ['aprsi', 'par', 'berlin', '']) assert.ok(!isWithin(1, typed, 'paris'));
  assert.ok(isWithin(2, 'fransicso', 'francisco'));
});

test('of a word that goes on, its beginning counts', () => {
  assert.deepEqual([isWithin(1, 'frna', 'francisco'), isWithin(1, 'frna', 'francisco', true)], [false, true]);
  assert.ok(!isWithin(1, 'zzan', 'francisco', true));
});

test('it tells what a full table of distances tells', () => {
  const random = seededRandom(1);
  const aText = () => Array.from({ length: random(9) }, () => 'abc'[random(3)]).join('');
  for (let i = 0; i < 5000; i++) {
    const [typed, word] = [aText(), aText()];
    const distances = Array.from({ length: word.length + 1 }, (_, end) => editDistance(typed, word.slice(0, end)));
    for (const most of [0, 1, 2]) {
      assert.equal(isWithin(most, typed, word), distances.at(-1)! <= most, `${typed} ${word} ${most}`);
      assert.equal(isWithin(most, typed, word, true), Math.min(...distances) <= most, `${typed} ${word}… ${most}`);
    }
  }
});
