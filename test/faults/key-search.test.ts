import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyText } from 'toponym-access/keys/key-text';
import { KeySearch } from '../../faults/key-search.ts';

function aSearch() {
  const key = createKeyText();
  const search = new KeySearch();
  search.addKey(key);
  search.addKey(key);
  const isFound = (text: string) => {
    const before = search.found.length;
    search.search('log', text);
    return search.found.length > before;
  };
  return { key, search, isFound };
}

test('a key is found whole, in part and percent-encoded', () => {
  const { key, search, isFound } = aSearch();
  const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  for (const text of [key, `key=${key}&x`, key.slice(0, 16), key.slice(-12), `path /${encoded}`]) {
    assert.ok(isFound(text), text);
  }
  assert.deepEqual(search.found, Array(5).fill('log'));
  assert.equal(search.keyCount, 1);
});

test('a masked key, another key and short parts are not found', () => {
  const { key, search, isFound } = aSearch();
  for (const text of ['tpk_***', createKeyText(), key.slice(4, 15), '', '%zz']) assert.ok(!isFound(text), text);
  assert.equal(search.searched.get('log'), 7 + 40 + 11 + 0 + 3);
});
