import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListenAddress } from '../../src/serve/listen/listen-address.ts';
import { isPageServed } from '../../src/serve/page-files.ts';

const LOOPBACK: ListenAddress = { kind: 'tcp', host: '127.0.0.1', port: 8443 };
const EVERYWHERE: ListenAddress = { kind: 'tcp', host: '0.0.0.0', port: 8443 };

test('by default the page is served only if nobody but this machine can connect', () => {
  const settings = { page: undefined, behindProxy: false };
  assert.equal(isPageServed(LOOPBACK, settings), true);
  assert.equal(isPageServed(EVERYWHERE, settings), false);
  assert.equal(isPageServed(LOOPBACK, { ...settings, behindProxy: true }), false, 'others connect to the proxy');
});

test('--page and --no-page decide', () => {
  assert.equal(isPageServed(EVERYWHERE, { page: true, behindProxy: true }), true);
  assert.equal(isPageServed(LOOPBACK, { page: false, behindProxy: false }), false);
});
