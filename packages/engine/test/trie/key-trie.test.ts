import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aTrie, someKeys } from './a-trie.ts';

test('the ranges of a text are the key, keys with more words, and keys with a longer last word', () => {
  const keys = ['york', 'york city', 'york haven', 'yorker', 'yorktown'];
  const trie = aTrie(keys);
  assert.equal(trie.find('york'), true);
  assert.deepEqual([trie.lo, trie.exactEnd, trie.moreWordsEnd, trie.hi], [0, 1, 3, 5]);
});

test('a text finds the same keys as filtering all keys by the prefix', () => {
  const keys = someKeys(1, 500);
  const trie = aTrie(keys);
  for (const text of someKeys(2, 500)) {
    const expected = keys.filter((key) => key.startsWith(text));
    const found = trie.find(text) ? keys.slice(trie.lo, trie.hi) : [];
    assert.deepEqual(found, expected, text);
    if (expected.length === 0) continue;
    assert.deepEqual(
      keys.slice(trie.lo, trie.exactEnd),
      expected.filter((key) => key === text),
    );
    assert.deepEqual(
      keys.slice(trie.exactEnd, trie.moreWordsEnd),
      expected.filter((key) => key.startsWith(`${text} `)),
    );
  }
});
