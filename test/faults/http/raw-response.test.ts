import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseResponse } from '../../../faults/http/raw-response.ts';

const RESPONSE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Request-Id: a:b\r\n\r\n{}';

test('a response is parsed once it is complete, and its length leads to the next one', () => {
  const bytes = Buffer.from(RESPONSE + RESPONSE);
  for (const end of [0, 10, RESPONSE.length - 1]) assert.equal(parseResponse(bytes.subarray(0, end), false), undefined);
  const parsed = parseResponse(bytes, false);
  assert.equal(parsed?.length, RESPONSE.length);
  assert.equal(parsed?.response.status, 200);
  assert.equal(parsed?.response.headers.get('x-request-id'), 'a:b');
  assert.equal(parsed?.response.body.toString(), '{}');
});

test('responses to HEAD and of status 100, 204 and 304 have no body', () => {
  assert.equal(parseResponse(Buffer.from(RESPONSE), true)?.response.body.length, 0);
  for (const status of [100, 204, 304]) {
    const text = `HTTP/1.1 ${status} X\r\nA: b\r\n\r\n`;
    assert.equal(parseResponse(Buffer.from(text), false)?.length, text.length);
  }
});

test('bytes that are no response are an error', () => {
  for (const text of ['hello\r\n\r\n', 'HTTP/1.1 20 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\nno header\r\n\r\n']) {
    assert.throws(() => parseResponse(Buffer.from(text), false), /^Error: not a /);
  }
  assert.throws(() => parseResponse(Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\n\r\n'), false), /without Content-Length/);
});
