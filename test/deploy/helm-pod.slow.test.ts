/** Runs what the chart's pods run, without Kubernetes: same environment, same init container. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CHART, compileRenderer, type Manifest, renderChart } from '../support/helm/chart-renderer.ts';
import { createKey, type RunningService, runService, runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const skip = await compileRenderer();

test('a pod with default values serves HTTPS and passes its probes', { skip }, async (t) => {
  const pod = await podWith([]);
  const service = await runPod(t, pod, join(temporaryFolder(t), 'state'));
  assert.equal((await service.call('/api/1/query', { form: { query: 'paris' } })).status, 200);
  const { readinessProbe, livenessProbe } = pod.containers[0];
  for (const { httpGet } of [readinessProbe, livenessProbe]) {
    assert.deepEqual([httpGet.scheme, httpGet.port], ['HTTPS', 'https']);
    // the kubelet does not verify certificates
    const agent = new Agent({ rejectUnauthorized: false });
    assert.equal((await service.call(httpGet.path, { method: 'GET', agent })).status, 200);
  }
});

test('a pod behind a proxy passes its probes, and answers the proxy only', { skip }, async (t) => {
  const pod = await podWith([join(CHART, 'ci', 'proxy-values.yaml')]);
  const service = await runPod(t, pod, join(temporaryFolder(t), 'state'));
  const { readinessProbe, livenessProbe } = pod.containers[0];
  for (const { httpGet } of [readinessProbe, livenessProbe]) {
    assert.equal((await fetch(new URL(httpGet.path, service.ready.metricsUrl))).status, 200);
  }
  // 127.0.0.1 is not in trustedProxies
  await assert.rejects(fetch(new URL('/healthz', service.ready.url)));
});

test('a pod that expects PROXY headers passes its probes, also from a trusted node', { skip }, async (t) => {
  const file = join(temporaryFolder(t), 'values.yaml');
  writeFileSync(file, JSON.stringify({ config: { proxyProtocol: true }, trustedProxies: ['127.0.0.1'] }));
  const pod = await podWith([file]);
  const service = await runPod(t, pod, join(temporaryFolder(t), 'state'));
  const { readinessProbe, livenessProbe } = pod.containers[0];
  for (const { httpGet } of [readinessProbe, livenessProbe]) {
    assert.deepEqual([httpGet.scheme, httpGet.port], ['HTTP', 'metrics']);
    assert.equal((await fetch(new URL(httpGet.path, service.ready.metricsUrl))).status, 200);
  }
});

test('every pod starts with the keys of the Secret', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const secret = join(folder, 'secret');
  const { key } = await createKey({ state: join(folder, 'origin') });
  mkdirSync(secret);
  const { code } = await runToponym(['keys', 'backup', join(secret, 'keys.sqlite'), '--state', join(folder, 'origin')]);
  assert.equal(code, 0);

  const pod = await podWith([join(CHART, 'ci', 'several-pods-values.yaml')]);
  for (const name of ['pod-1', 'pod-2']) {
    const state = join(folder, name);
    mkdirSync(state);
    copyKeys(pod, secret, state);
    copyKeys(pod, secret, state); // Kubernetes may run an init container again
    writeFileSync(join(state, 'first-key.txt'), key); // runService reads it
    const service = await runPod(t, pod, state);
    assert.equal((await service.call('/api/1/query', { form: { query: 'paris' }, key })).status, 200);
  }
});

async function podWith(valuesFiles: readonly string[]): Promise<Manifest> {
  const { manifests } = await renderChart(valuesFiles);
  return manifests.find(({ kind }) => kind === 'Deployment')?.spec.template.spec;
}

/** Runs the init container, with other paths. */
function copyKeys({ initContainers }: Manifest, secret: string, state: string): void {
  const [program, ...args]: string[] = initContainers[0].command;
  assert.equal(program, 'node');
  const script = args.map((arg) => arg.replaceAll('/etc/toponym/keys', secret).replaceAll('/state', state));
  const { status, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

/** Runs a service with the environment of the pod. Only addresses, paths and files differ. */
async function runPod(t: TestContext, pod: Manifest, state: string): Promise<RunningService> {
  const { env: variables, args } = pod.containers[0];
  assert.deepEqual(args, ['serve', '--json']);
  const env = Object.fromEntries(variables.map(({ name, value }: Manifest) => [name, value]));
  const local = {
    TOPONYM_HOST: '127.0.0.1',
    TOPONYM_TLS_CERT: '',
    TOPONYM_TLS_KEY: '',
    ...(env.TOPONYM_METRICS_HOST && { TOPONYM_METRICS_HOST: '127.0.0.1', TOPONYM_METRICS_PORT: '0' }),
  };
  const service = await runService(t, { state, env: { ...env, ...local }, args: ['--threads', '1'] });
  // standard output, which a container logs, has the one line of `ready`
  assert.ok(!JSON.stringify(service.ready).includes(service.key) && !service.log().includes(service.key));
  return service;
}
