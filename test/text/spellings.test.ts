import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellingsOf } from '../../src/text/spellings.ts';
import { wordStarts } from '../../src/text/word-starts.ts';

test('umlauts are also spelt with two letters', () => {
  assert.deepEqual(spellingsOf('Münster'), ['munster', 'muenster']);
  assert.deepEqual(spellingsOf('Århus'), ['arhus', 'aarhus']);
});

test('saints are written in full and short', () => {
  assert.deepEqual(spellingsOf('St. Louis'), ['st louis', 'saint louis']);
  assert.deepEqual(spellingsOf('Saint-Malo'), ['saint malo', 'st malo']);
  assert.deepEqual(spellingsOf('Sankt Pölten'), ['sankt polten', 'st polten', 'sankt poelten', 'st poelten']);
});

test('an elided article is written with and without a gap', () => {
  assert.deepEqual(spellingsOf("L'Aquila"), ['laquila', 'l aquila']);
});

test('a name with nothing to vary has one spelling, and one of punctuation none', () => {
  assert.deepEqual(spellingsOf('Paris'), ['paris']);
  assert.deepEqual(spellingsOf('—'), []);
});

test('a search may begin at any word that means something', () => {
  const name = 'rio de janeiro';
  assert.deepEqual(
    wordStarts(name).map((start) => name.slice(start)),
    ['rio de janeiro', 'janeiro'],
  );
});
