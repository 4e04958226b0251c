import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from '../../../src/access/address.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';
import type { ListenAddress } from '../../../src/serve/listen/listen-address.ts';
import {
  checkProxySettings,
  localAccess,
  type ProxySettings,
  warnOfProxySettings,
} from '../../../src/serve/listen/proxy-settings.ts';

const DEFAULTS: ProxySettings = { behindProxy: false, trustedProxies: [], proxyProtocol: false };
const EVERYWHERE = { kind: 'tcp', host: '0.0.0.0', port: 1 } as const;
const UNIX = { kind: 'unix', path: '/run/toponym.sock', mode: 0o660 } as const;

function blocks(...texts: readonly string[]) {
  return texts.map((text) => parseCidr(text)!);
}

/** The warnings that the settings cause. */
function warningsOf(settings: Partial<ProxySettings>, address: ListenAddress = EVERYWHERE): string[] {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  warnOfProxySettings(address, { ...DEFAULTS, ...settings }, log as Parameters<typeof warnOfProxySettings>[2]);
  return warnings;
}

test('the PROXY protocol needs trusted proxies', () => {
  assert.throws(() => checkProxySettings({ ...DEFAULTS, proxyProtocol: true }), UsageError);
  checkProxySettings({ ...DEFAULTS, proxyProtocol: true, trustedProxies: blocks('10.0.0.0/8') });
});

test('a proxy that is not trusted, and trust in a large part of the internet, cause a warning', () => {
  assert.match(warningsOf({ behindProxy: true }).join(), /name the proxy with --trusted-proxies/);
  for (const block of ['0.0.0.0/0', '128.0.0.0/1', '::/0', '2000::/3', '::ffff:0:0/96'])
    assert.match(
      warningsOf({ trustedProxies: blocks('10.1.1.1', block) }).join(),
      /includes \S+\/\d+: any client/,
      block,
    );
  assert.deepEqual(warningsOf({ trustedProxies: blocks('10.0.0.0/8', 'fc00::/7') }), []);
  assert.deepEqual(warningsOf({}), []);
});

test('a proxy on a Unix socket must be trusted as 127.0.0.1, unless it sends PROXY headers', () => {
  const others = { behindProxy: true, trustedProxies: blocks('10.1.1.1') };
  assert.match(warningsOf(others, UNIX).join(), /add 127\.0\.0\.1 to --trusted-proxies/);
  assert.deepEqual(warningsOf({ ...others, proxyProtocol: true }, UNIX), []);
  assert.deepEqual(warningsOf({ ...others, trustedProxies: blocks('127.0.0.0/8') }, UNIX), []);
  assert.deepEqual(warningsOf(others), []);
});

test('a client on this machine may need a PROXY header, or may be refused', () => {
  const loopback = { behindProxy: true, trustedProxies: blocks('127.0.0.1'), proxyProtocol: false };
  const others = { ...loopback, trustedProxies: blocks('10.0.0.0/8') };
  const address = { ...EVERYWHERE, host: '127.0.0.1' };
  const direct = { address, hasProxyHeader: false };
  const withHeader = { address, hasProxyHeader: true };
  assert.deepEqual(localAccess(EVERYWHERE, loopback), direct);
  assert.deepEqual(localAccess(EVERYWHERE, { ...loopback, proxyProtocol: true }), withHeader);
  assert.equal(localAccess(EVERYWHERE, others), undefined);
  const inside = { ...EVERYWHERE, host: '10.1.2.3' };
  assert.deepEqual(localAccess(inside, others), { address: inside, hasProxyHeader: false });
  assert.deepEqual(localAccess(EVERYWHERE, { ...others, behindProxy: false, proxyProtocol: true }), direct);
  assert.deepEqual(localAccess(EVERYWHERE, { ...loopback, trustedProxies: [] }), direct);
  assert.deepEqual(localAccess(UNIX, { ...others, proxyProtocol: true }), { address: UNIX, hasProxyHeader: true });
});

test('on ::, a client on this machine uses the loopback address that may connect', () => {
  const all = { ...EVERYWHERE, host: '::' };
  const settings = { behindProxy: true, trustedProxies: blocks('127.0.0.1'), proxyProtocol: true };
  const v4 = { ...all, host: '127.0.0.1' };
  const v6 = { ...all, host: '::1' };
  assert.deepEqual(localAccess(all, settings), { address: v4, hasProxyHeader: true });
  assert.deepEqual(localAccess(all, { ...settings, trustedProxies: blocks('::1') }), {
    address: v6,
    hasProxyHeader: true,
  });
  // with TLS, a peer that is not a proxy may connect without a header
  assert.deepEqual(localAccess(all, { ...settings, behindProxy: false }), { address: v6, hasProxyHeader: false });
});
