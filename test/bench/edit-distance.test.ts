import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from '../../bench/engine/edit-distance.ts';

test('a letter added, lost, replaced, or swapped with the next is one edit', () => {
  const typed = ['paris', 'parris', 'pars', 'pabis', 'apris', 'parsi', ''];
  assert.deepEqual(
    typed.map((text) => editDistance(text, 'paris')),
    [0, 1, 1, 1, 1, 1, 5],
  );
});

test('edits add up', () => {
  assert.equal(editDistance('san fransicso', 'san francisco'), 2);
});
