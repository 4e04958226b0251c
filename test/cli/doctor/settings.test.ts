import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSettings } from '../../../src/cli/doctor/settings.ts';
import { aContext, levelsOf, linesOf } from './a-context.ts';

test('settings that serve accepts are ok', async (context) => {
  assert.deepEqual(linesOf(await checkSettings(aContext(context))), ['ok: the service accepts them']);
});

test('every setting that serve refuses is a problem of its own', async (context) => {
  const flags = { tlsCert: 'cert.pem', proxyProtocol: 'true', redisMode: 'cluster', host: 'unix:/run/a.sock' };
  const lines = linesOf(await checkSettings(aContext(context, { flags })));
  assert.equal(lines.length, 4);
  assert.match(lines[0] ?? '', /^problem: --proxy-protocol needs --trusted-proxies.* -> Correct the setting/);
  assert.match(lines[1] ?? '', /^problem: --tls-cert and --tls-key belong together/);
  assert.match(lines[2] ?? '', /^problem: --redis-mode needs --redis/);
  assert.match(lines[3] ?? '', /^problem: .*a Unix socket needs --behind-proxy/);
});

test('settings that serve warns of are warnings', async (context) => {
  const flags = { behindProxy: 'true', metricsHost: '127.0.0.2' };
  const verdicts = await checkSettings(aContext(context, { flags }));
  assert.deepEqual(levelsOf(verdicts), ['warning', 'warning']);
  assert.match(verdicts[0]?.message ?? '', /--metrics-host 127\.0\.0\.2 has no effect/);
  assert.match(verdicts[1]?.message ?? '', /every client seems to have the address of the proxy/);
});
