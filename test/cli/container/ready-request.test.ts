import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readyRequest } from '../../../src/cli/container/ready-request.ts';

const FIXED = { path: '/readyz', rejectUnauthorized: false };

test('a service on all addresses is asked on loopback', () => {
  assert.deepEqual(readyRequest({ host: '0.0.0.0', port: 8443 }), { ...FIXED, host: '127.0.0.1', port: 8443 });
  assert.deepEqual(readyRequest({ host: '::', port: 8443 }), { ...FIXED, host: '::1', port: 8443 });
});

test('a service on one address or on a Unix socket is asked there', () => {
  assert.deepEqual(readyRequest({ host: '10.0.0.5', port: 1 }), { ...FIXED, host: '10.0.0.5', port: 1 });
  assert.deepEqual(readyRequest({ host: 'unix:/run/a.sock', port: 8443 }), { ...FIXED, socketPath: '/run/a.sock' });
});

test('a port that the system picks is refused', () => {
  assert.throws(
    () => readyRequest({ host: '127.0.0.1', port: 0 }),
    /the health check needs a fixed port, got 0\. Set TOPONYM_PORT\./,
  );
});
