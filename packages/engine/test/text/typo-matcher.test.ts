import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from '../../../../test/support/edit-distance.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { closestSpelling } from '../../src/text/closest-spelling.ts';
import { isWithinTypos } from '../../src/text/typo-matcher.ts';

/** Matches against a word in the middle of a longer list of letters. */
function isWithin(maxTypos: number, typed: string, word: string, isPrefix = false): boolean {
  const list = [...`ab${word}cba`].map((letter) => letter.charCodeAt(0));
  return isWithinTypos(typed, { list, from: 2, to: 2 + word.length }, { maxTypos, isPrefix });
}

test('an insertion, deletion, substitution or transposition is one edit', () => {
  for (const typed of ['parris', 'pars', 'pabis', 'apris', 'parsi', 'paris']) assert.ok(isWithin(1, typed, 'paris'));
  for (const typed of ['aprsi', 'par', 'berlin', '']) assert.ok(!isWithin(1, typed, 'paris'));
  assert.ok(isWithin(2, 'fransicso', 'francisco'));
});

test('with isPrefix, a word matches the beginning of a longer one', () => {
  assert.deepEqual([isWithin(1, 'frna', 'francisco'), isWithin(1, 'frna', 'francisco', true)], [false, true]);
  assert.ok(!isWithin(1, 'zzan', 'francisco', true));
});

test('matches agree with a full table of edit distances', () => {
  const random = seededRandom(1);
  const aText = () => Array.from({ length: random(9) }, () => 'abc'[random(3)]).join('');
  for (let i = 0; i < 2000; i++) {
    const [typed, word] = [aText(), aText()];
    const distances = Array.from({ length: word.length + 1 }, (_, end) => editDistance(typed, word.slice(0, end)));
    for (const maxTypos of [0, 1, 2]) {
      assert.equal(isWithin(maxTypos, typed, word), distances.at(-1)! <= maxTypos, `${typed} ${word} ${maxTypos}`);
      assert.equal(
        isWithin(maxTypos, typed, word, true),
        Math.min(...distances) <= maxTypos,
        `${typed} ${word}… ${maxTypos}`,
      );
    }
  }
});

const closest = (name: string, text: string, maxTypos: number, isPrefix = false) =>
  closestSpelling(name, text, { maxTypos, isPrefix });

test('the spelling with the fewest typos is found', () => {
  assert.deepEqual(closest('Saint Petersburg', 'st petersbrg', 2), {
    spelling: 'st petersburg',
    from: 0,
    to: 11,
    typos: 1,
  });
  assert.deepEqual(closest('Düsseldorf', 'duesseldrof', 2), { spelling: 'duesseldorf', from: 0, to: 10, typos: 1 });
  assert.deepEqual(closest('Düsseldorf', 'dusseldorf', 2), { spelling: 'dusseldorf', from: 0, to: 10, typos: 0 });
});

test('the text may start at a later word, and with isPrefix may be unfinished', () => {
  assert.deepEqual(closest('San Francisco', 'fransisco', 1), { spelling: 'san francisco', from: 4, to: 12, typos: 1 });
  assert.deepEqual(closest('San Francisco', 'franz', 1, true), { spelling: 'san francisco', from: 4, to: 8, typos: 1 });
  assert.equal(closest('San Francisco', 'franz', 1), undefined);
});

test('a name that has more typos is not found', () => {
  assert.equal(closest('Mumbai', 'bombey', 2), undefined);
  assert.equal(closest('Москва', 'moskva', 2), undefined);
});
