import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '../../src/text/fold.ts';
import { listSpellings } from '../../src/text/spellings.ts';
import { isGenericWord, wordStarts } from '../../src/text/words.ts';

test('umlauts are also spelt with two letters', () => {
  assert.deepEqual(listSpellings('Münster'), ['munster', 'muenster']);
  assert.deepEqual(listSpellings('Århus'), ['arhus', 'aarhus']);
});

test('saints are written in full and abbreviated', () => {
  assert.deepEqual(listSpellings('St. Louis'), ['st louis', 'saint louis']);
  assert.deepEqual(listSpellings('Saint-Malo'), ['saint malo', 'st malo']);
  assert.deepEqual(listSpellings('Sankt Pölten'), ['sankt polten', 'st polten', 'sankt poelten', 'st poelten']);
});

test('an elided article is written with and without a space', () => {
  assert.deepEqual(listSpellings("L'Aquila"), ['laquila', 'l aquila']);
});

test('a name in Chinese characters is also spelt without the word for city, county or district', () => {
  assert.deepEqual(listSpellings('深圳市'), ['深圳市', '深圳']);
  assert.deepEqual(listSpellings('義烏縣'), ['义乌县', '义乌']);
  assert.deepEqual(listSpellings('中区'), ['中区']);
  assert.deepEqual(listSpellings('市川'), ['市川']);
});

test('a nasal before a stop in Hindi is written as a letter or as a dot', () => {
  assert.deepEqual(listSpellings('मुम्बई'), ['मुम्बइ', 'मुंबइ']);
  assert.deepEqual(listSpellings('सेंट'), ['सेंट', 'सेण्ट']);
  assert.deepEqual(listSpellings('मिन्ह'), ['मिन्ह']);
});

test('a plain name has one spelling, and a name of punctuation has none', () => {
  assert.deepEqual(listSpellings('Paris'), ['paris']);
  assert.deepEqual(listSpellings('—'), []);
});

test('a match may start at any word except a particle', () => {
  const name = 'rio de janeiro';
  assert.deepEqual(
    wordStarts(name).map((start) => name.slice(start)),
    ['rio de janeiro', 'janeiro'],
  );
});

test('words such as "city" and "airport" are generic in any script, when folded', () => {
  for (const word of ['Airport', 'район', 'місто', 'πόλη', 'مدينة', 'העיר', 'नगर', '시', '駅', 'ホテル', '機場']) {
    assert.ok(isGenericWord(fold(word)), word);
  }
});

test('names are not generic', () => {
  for (const word of ['paris', 'москва', '东京']) assert.ok(!isGenericWord(word), word);
});
