import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { errorMessage, errorReason } from '../../src/errors/errors.ts';

test('the message of an error is its own, and other thrown values are converted to text', () => {
  assert.equal(errorMessage(new TypeError('out of range')), 'out of range');
  assert.equal(errorMessage('no such file'), 'no such file');
  assert.equal(errorMessage(undefined), 'undefined');
});

test('the message of a system error is its reason and what it is about, without code and system call', async () => {
  const errorOf = (fail: () => unknown) => {
    try {
      return fail();
    } catch (error) {
      return error;
    }
  };
  const missing = errorOf(() => statSync('/no/such'));
  assert.deepEqual(
    [errorMessage(missing), errorReason(missing)],
    ['no such file or directory (/no/such)', 'no such file or directory'],
  );
  assert.equal(errorMessage(errorOf(() => readFileSync('/'))), 'illegal operation on a directory');
  const [refused] = await once(connect(1, '127.0.0.1'), 'error').catch((error) => [error]);
  assert.equal(errorMessage(refused), 'connection refused (127.0.0.1:1)');
  const [unbound] = await once(createServer().listen('/no/such/socket'), 'listening').catch((error) => [error]);
  assert.equal(errorMessage(unbound), 'permission denied (/no/such/socket)');
  const all = Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' });
  assert.equal(errorMessage(all), 'connection refused');
  const unknown = await lookup('no.such.host.invalid').catch((error) => error);
  assert.match(
    errorMessage(unknown),
    /^(no such host|the host cannot be looked up at the moment) \(no\.such\.host\.invalid\)$/,
  );
});
