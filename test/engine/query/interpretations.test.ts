import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInterpretation, textOf } from '../../../src/engine/query/interpretations.ts';
import { foldWords } from '../../../src/text/fold.ts';

const words = foldWords('San José, Costa Rica');

test('the text of some words is the words joined by spaces, and empty for none', () => {
  assert.equal(textOf(words, 0, 2), 'san jose');
  assert.equal(textOf(words, 1, 4), 'jose costa rica');
  assert.deepEqual([textOf(words, 0, 0), textOf(words, 2, 2)], ['', '']);
});

test('an interpretation that names only regions has no name', () => {
  assert.equal(createInterpretation(words, 0, 0, []).text, '');
});
