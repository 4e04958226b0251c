import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printableJson } from '../../src/text/utf8.ts';

test('printable JSON has no control character and parses to the same value', () => {
  const value = { text: String.fromCharCode(...Array.from({ length: 0x100 }, (_, code) => code)) };
  const json = printableJson(value);
  assert.doesNotMatch(json, /\p{Cc}/u);
  assert.deepEqual(JSON.parse(json), value);
});
