import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoredText } from '../../../src/engine/page/stored-text.ts';

const bytes = Buffer.from('ZürichZürichsee');
const zurich = new StoredText(bytes, 0, 7);

test('a stored text decodes the bytes of its slice', () => {
  assert.equal(zurich.text, 'Zürich');
  assert.equal(new StoredText(bytes, 7, bytes.length).text, 'Zürichsee');
  assert.equal(StoredText.of('東京').text, '東京');
});

test('stored texts are equal if their bytes are, wherever they are stored', () => {
  assert.ok(zurich.equals(new StoredText(bytes, 7, 14)));
  assert.ok(zurich.equals(StoredText.of('Zürich')));
  assert.ok(!zurich.equals(new StoredText(bytes, 7, bytes.length)));
  assert.ok(!zurich.equals(StoredText.of('Zurichs')));
  assert.ok(!zurich.equals(StoredText.of('zürich')));
});
