import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../../src/errors/error-message.ts';

test('the message of an error is its own, and other thrown values are converted to text', () => {
  assert.equal(errorMessage(new TypeError('out of range')), 'out of range');
  assert.equal(errorMessage('no such file'), 'no such file');
  assert.equal(errorMessage(undefined), 'undefined');
});
