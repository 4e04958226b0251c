import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '../../src/text/fold.ts';
import { isGenericWord } from '../../src/text/words.ts';

test('words such as "city" and "airport" are generic in any script, when folded', () => {
  for (const word of ['Airport', 'район', 'місто', 'πόλη', 'مدينة', 'העיר', 'नगर', '시', '駅', 'ホテル', '機場']) {
    assert.ok(isGenericWord(fold(word)), word);
  }
});

test('names are not generic', () => {
  for (const word of ['paris', 'москва', '东京']) assert.ok(!isGenericWord(word), word);
});
