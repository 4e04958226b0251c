import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from '../../../src/access/address.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';
import { checkProxySettings, type ProxySettings } from '../../../src/serve/listen/proxy-settings.ts';

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
