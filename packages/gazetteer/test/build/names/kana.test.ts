import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kanaReadings } from '../../../src/build/names/kana.ts';

const READINGS: readonly (readonly [rule: string, name: string, reading: string])[] = [
  ['plain syllables', 'Kamakura', 'かまくら'],
  ['syllables of three letters', 'Kashiwa', 'かしわ'],
  ['contracted syllables', 'Kyushu', 'きゅしゅ'],
  ['doubled consonants', 'Sapporo', 'さっぽろ'],
  ['t before ch', 'Itchome', 'いっちょめ'],
  ['n before a consonant and at the end', 'Sendan', 'せんだん'],
  ['n before a vowel, with an apostrophe', "Shin'ichi", 'しんいち'],
  ['m before b, m and p', 'Namba', 'なんば'],
  ['a long u', 'Kitakyūshū', 'きたきゅうしゅう'],
  ['hyphens end a syllable', 'Shin-itchome', 'しんいっちょめ'],
];

for (const [rule, name, reading] of READINGS) {
  test(`reading in kana: ${rule}`, () => assert.deepEqual(kanaReadings(name), [reading]));
}

test('a long o and zu each have two readings', () => {
  assert.deepEqual(kanaReadings('Ōtsu'), ['おうつ', 'おおつ']);
  assert.deepEqual(kanaReadings('Kisarazu'), ['きさらず', 'きさらづ']);
  assert.ok(kanaReadings('Tōkyō').includes('とうきょう'));
});

test('a name has at most four readings', () => {
  assert.equal(kanaReadings('Kōtōkōshō').length, 4);
});

test('a name that is not in Hepburn romanisation has no reading', () => {
  for (const name of ['Paris', 'Hutami', 'Minami-Alps', '東京', '']) assert.deepEqual(kanaReadings(name), []);
});
