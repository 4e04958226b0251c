import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseCidr } from 'toponym-access/address';
import { testEnvironment } from '../../../../../test/support/environment.ts';
import { startInProcess } from '../../../../../test/support/service-in-process.ts';

const HEALTH_CHECK = fileURLToPath(new URL('../../../src/cli/container/health-check.ts', import.meta.url));

async function checkHealth(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [HEALTH_CHECK], {
    env: { ...testEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, stderr };
}

test('the health check asks the service of the settings, with a self-signed certificate', async (context) => {
  const service = await startInProcess(context);
  const env = { TOPONYM_PORT: new URL(service.url).port };
  assert.deepEqual(await checkHealth(env), { code: 0, stderr: '' });
  // the service listens on 127.0.0.1 only, as one on all addresses does if loopback has no IPv6
  assert.deepEqual(await checkHealth({ ...env, TOPONYM_HOST: '::' }), { code: 0, stderr: '' });
  await service.stop();
  const { code, stderr } = await checkHealth(env);
  assert.equal(code, 1);
  assert.match(stderr, /^toponym: the service is not ready: connection refused \(127\.0\.0\.1:\d+\)\n$/);
});

test('a service behind a proxy is asked in plain HTTP, and at the listener of the metrics if it answers only its proxy', async (context) => {
  const trustedProxies = [parseCidr('192.0.2.1')!];
  const service = await startInProcess(context, { behindProxy: true, trustedProxies, metricsPort: 0 });
  const env = { TOPONYM_PORT: new URL(service.url).port, TOPONYM_BEHIND_PROXY: 'true' };
  const refused = await checkHealth(env);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^toponym: the service is not ready: /);
  const metricsPort = new URL(service.metricsUrl ?? '').port;
  assert.deepEqual(await checkHealth({ ...env, TOPONYM_METRICS_PORT: metricsPort }), { code: 0, stderr: '' });
});

test('the health check explains invalid settings', async () => {
  const { code, stderr } = await checkHealth({ TOPONYM_PORT: 'many' });
  assert.equal(code, 1);
  assert.match(stderr, /environment variable TOPONYM_PORT: must be an integer/);
});
