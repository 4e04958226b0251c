import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testEnvironment } from '../../support/environment.ts';
import { runService } from '../../support/running-service.ts';
import { worldIndex } from '../../support/world-index.ts';

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
  const service = await runService(context, { index: await worldIndex() });
  const env = { TOPONYM_PORT: new URL(service.ready.url).port };
  assert.deepEqual(await checkHealth(env), { code: 0, stderr: '' });
  // the service listens on 127.0.0.1 only, as one on all addresses does if loopback has no IPv6
  assert.deepEqual(await checkHealth({ ...env, TOPONYM_HOST: '::' }), { code: 0, stderr: '' });
  service.child.kill('SIGTERM');
  await service.ended();
  const { code, stderr } = await checkHealth(env);
  assert.equal(code, 1);
  assert.match(stderr, /^toponym: the service is not ready: connection refused \(127\.0\.0\.1:\d+\)\n$/);
});

test('a service behind a proxy is asked in plain HTTP, and at the listener of the metrics if it answers only its proxy', async (context) => {
  const args = ['--behind-proxy', '--trusted-proxies', '192.0.2.1', '--metrics-port', '0'];
  const service = await runService(context, { index: await worldIndex(), args });
  const env = { TOPONYM_PORT: new URL(service.ready.url).port, TOPONYM_BEHIND_PROXY: 'true' };
  const refused = await checkHealth(env);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^toponym: the service is not ready: /);
  const metricsPort = new URL(service.ready.metricsUrl ?? '').port;
  assert.deepEqual(await checkHealth({ ...env, TOPONYM_METRICS_PORT: metricsPort }), { code: 0, stderr: '' });
});

test('the health check explains invalid settings', async () => {
  const { code, stderr } = await checkHealth({ TOPONYM_PORT: 'many' });
  assert.equal(code, 1);
  assert.match(stderr, /environment variable TOPONYM_PORT: must be an integer/);
});
