import assert from 'node:assert/strict';
import { test } from 'node:test';
import { romanize } from '../../../../src/sources/geonames/similarity.ts';

const EXAMPLES: readonly (readonly [string, string, string])[] = [
  ['Cyrillic', 'Объёмный', 'obyomnyy'],
  ['Greek vowels with accents', 'Αθήνα Ρόδος Καΐρ', 'athinarodoskair'],
  ['ancient Greek accents', 'Ἀθῆναι', 'athinai'],
  ['Hindi letters with a dot below', 'ज़ड़ढ़फ़', 'zrrf'],
  ['Hindi letters with a dot below, as one character each', '\u095b\u095c\u095d\u095e', 'zrrf'],
  ['a dot below that changes no sound', 'ल़य़', 'ly'],
  ['Latin letters stay, digits are left out', 'Zone 5', 'zone'],
];

for (const [rule, text, expected] of EXAMPLES) {
  test(`romanisation: ${rule}`, () => assert.equal(romanize(text), expected));
}
