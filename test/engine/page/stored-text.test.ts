import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoredText } from '../../../src/engine/page/stored-text.ts';
import { createTextReader } from '../../../src/text/utf8.ts';

const bytes = Buffer.from('ZürichZürichsee');
const read = createTextReader(bytes);

test('a stored text decodes the bytes of its slice', () => {
  assert.equal(new StoredText(bytes, read, { start: 0, end: 7 }).text, 'Zürich');
  assert.equal(new StoredText(bytes, read, { start: 7, end: bytes.length }).text, 'Zürichsee');
  assert.equal(StoredText.of('東京').text, '東京');
});
