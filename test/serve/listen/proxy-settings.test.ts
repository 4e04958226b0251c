import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from '../../../src/access/address.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';
import { checkProxySettings, localAccess, type ProxySettings } from '../../../src/serve/listen/proxy-settings.ts';

/** The warnings that the settings cause. */
function warningsOf(settings: Partial<ProxySettings>): string[] {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const defaults = { behindProxy: false, trustedProxies: [], proxyProtocol: false };
  checkProxySettings({ ...defaults, ...settings }, log as Parameters<typeof checkProxySettings>[1]);
  return warnings;
}

test('the PROXY protocol needs trusted proxies', () => {
  assert.throws(() => warningsOf({ proxyProtocol: true }), UsageError);
  assert.deepEqual(warningsOf({ proxyProtocol: true, trustedProxies: [parseCidr('10.0.0.0/8')!] }), []);
});

test('a proxy that is not trusted, and trust in every address, cause a warning', () => {
  assert.match(warningsOf({ behindProxy: true }).join(), /name the proxy with --trusted-proxies/);
  assert.match(warningsOf({ trustedProxies: [parseCidr('::/0')!] }).join(), /includes every address/);
  assert.deepEqual(warningsOf({}), []);
});

test('a client on this machine may need a PROXY header, or may be refused', () => {
  const loopback = { behindProxy: true, trustedProxies: [parseCidr('127.0.0.1')!], proxyProtocol: false };
  const others = { ...loopback, trustedProxies: [parseCidr('10.0.0.0/8')!] };
  const everywhere = { kind: 'tcp', host: '0.0.0.0', port: 1 } as const;
  const unix = { kind: 'unix', path: '/run/toponym.sock', mode: 0o660 } as const;
  assert.equal(localAccess(everywhere, loopback), 'direct');
  assert.equal(localAccess(everywhere, { ...loopback, proxyProtocol: true }), 'with_header');
  assert.equal(localAccess(everywhere, others), 'refused');
  assert.equal(localAccess({ ...everywhere, host: '10.1.2.3' }, others), 'direct');
  assert.equal(localAccess(everywhere, { ...others, behindProxy: false, proxyProtocol: true }), 'direct');
  assert.equal(localAccess(everywhere, { ...loopback, trustedProxies: [] }), 'direct');
  assert.equal(localAccess(unix, { ...others, proxyProtocol: true }), 'with_header');
});
