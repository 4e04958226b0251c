import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellingsOf } from '../../src/text/spellings.ts';
import { wordStarts } from '../../src/text/word-starts.ts';

test('umlauts are also spelt with two letters', () => {
  assert.deepEqual(spellingsOf('Münster'), ['munster', 'muenster']);
  assert.deepEqual(spellingsOf('Århus'), ['arhus', 'aarhus']);
});

test('saints are written in full and abbreviated', () => {
  assert.deepEqual(spellingsOf('St. Louis'), ['st louis', 'saint louis']);
  assert.deepEqual(spellingsOf('Saint-Malo'), ['saint malo', 'st malo']);
  assert.deepEqual(spellingsOf('Sankt Pölten'), ['sankt polten', 'st polten', 'sankt poelten', 'st poelten']);
});

test('an elided article is written with and without a space', () => {
  assert.deepEqual(spellingsOf("L'Aquila"), ['laquila', 'l aquila']);
});

test('a plain name has one spelling, and a name of punctuation has none', () => {
  assert.deepEqual(spellingsOf('Paris'), ['paris']);
  assert.deepEqual(spellingsOf('—'), []);
});

test('a match may start at any word except a particle', () => {
  const name = 'rio de janeiro';
  assert.deepEqual(
    wordStarts(name).map((start) => name.slice(start)),
    ['rio de janeiro', 'janeiro'],
  );
});
