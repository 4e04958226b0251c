import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoredText } from '../../../src/engine/page/stored-text.ts';

const bytes = Buffer.from('ZürichZürichsee');

test('a stored text decodes the bytes of its slice', () => {
  assert.equal(new StoredText(bytes, 0, 7).text, 'Zürich');
  assert.equal(new StoredText(bytes, 7, bytes.length).text, 'Zürichsee');
  assert.equal(StoredText.of('東京').text, '東京');
});
