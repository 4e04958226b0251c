import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createKeyText, hashKey, isWellFormedKey, maskKeys, maskKeysInPath } from '../../src/keys/key-text.ts';

test('a new key has the documented form and a correct checksum', () => {
  const key = createKeyText();
  assert.match(key, /^tpk_[0-9A-Za-z]{36}$/);
  assert.ok(isWellFormedKey(key));
  assert.notEqual(createKeyText(), key);
});

test('a key with any single character changed is not well formed', () => {
  const key = createKeyText();
  for (let i = 0; i < key.length; i++) {
    const changed = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1);
    assert.equal(isWellFormedKey(changed), false, changed);
  }
});

test('other texts are not well formed, and none makes the check throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isWellFormedKey(text)));
  assert.equal(isWellFormedKey(`${createKeyText()}\n`), false);
});

test('every base62 character occurs in keys', () => {
  const seen = new Set(Array.from({ length: 200 }, () => createKeyText().slice(4, 34)).join(''));
  assert.equal(seen.size, 62);
});

test('the hash is SHA-256', () => {
  assert.equal(hashKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('masking hides whole and partial keys only', () => {
  const key = createKeyText();
  assert.equal(maskKeys(`got ${key}, ${key.slice(0, 9)}; ok`), 'got tpk_***, tpk_***; ok');
  assert.equal(maskKeys('paris'), 'paris');
});

test('masking a path finds keys with percent-encoded characters', () => {
  const key = createKeyText();
  const everyCharacter = [...key].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  const paths = [key, key.replace('_', '%5F'), key.replace('_', '%25255f'), everyCharacter];
  for (const path of paths) assert.equal(maskKeysInPath(`/api/${path}`), '/api/tpk_***', path);
  assert.equal(maskKeysInPath(`/%zz/${key.replace('_', '%5f')}`), '/%zz/tpk_***');
  assert.equal(maskKeysInPath('/S%C3%A3o/100%25'), '/S%C3%A3o/100%25');
});
