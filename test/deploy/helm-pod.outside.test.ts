/** Runs what the chart's pods run, without Kubernetes: same environment, same init container. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ensureCertificate } from 'toponym-server/serve/tls/certificate';
import { runKeys } from '../support/command.ts';
import { waitUntil } from '../support/deadline.ts';
import { freePort } from '../support/free-port.ts';
import { CHART, compileRenderer, type Manifest, renderChart } from '../support/helm/chart-renderer.ts';
import { smallIndex } from '../support/index-version.ts';
import { redisProgram, startRedis } from '../support/redis.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const skip = await compileRenderer();

test('a pod with default values serves HTTPS and passes its probes', { skip }, async (t) => {
  const pod = await podWith([]);
  const service = await runPod(t, pod);
  assert.equal((await service.call('/api/1/query', { form: { query: 'alba' } })).status, 200);
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
  const service = await runPod(t, pod);
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
  const service = await runPod(t, pod);
  const { readinessProbe, livenessProbe } = pod.containers[0];
  for (const { httpGet } of [readinessProbe, livenessProbe]) {
    assert.deepEqual([httpGet.scheme, httpGet.port], ['HTTP', 'metrics']);
    assert.equal((await fetch(new URL(httpGet.path, service.ready.metricsUrl))).status, 200);
  }
});

test('a pod starts with the keys of the Secret', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const secret = join(folder, 'secret');
  const origin = ['--state', join(folder, 'origin')];
  const { key } = await runKeys({}, 'create', '--label', 'test', ...origin);
  mkdirSync(secret);
  await runKeys({}, 'backup', join(secret, 'keys.sqlite'), ...origin);

  const pod = await podWith([join(CHART, 'ci', 'several-pods-values.yaml')]);
  const state = join(folder, 'pod');
  mkdirSync(state);
  copyKeys(pod, secret, state);
  copyKeys(pod, secret, state); // Kubernetes may run an init container again
  writeFileSync(join(state, 'first-key.txt'), key); // runService reads it
  const service = await runPod(t, pod, { state });
  assert.equal((await service.call('/api/1/query', { form: { query: 'alba' }, key })).status, 200);
});

test('pods with Redis share keys', { skip: skip || redisProgram.skip }, async (t) => {
  const folder = temporaryFolder(t);
  const { cert, certPath, keyPath } = await ensureCertificate(folder, new Date());
  const port = await freePort();
  const tls = ['--tls-port', String(port), '--tls-cert-file', certPath, '--tls-key-file', keyPath];
  await startRedis(t, ...tls, '--tls-auth-clients', 'no', '--requirepass', 'open sesame');
  const secrets = { 'redis-password': { password: 'open sesame' }, 'redis-ca': { 'ca.crt': cert } };
  const pod = await podWith([join(CHART, 'ci', 'redis-values.yaml')]);
  const local = { TOPONYM_REDIS: `rediss://127.0.0.1:${port}`, TOPONYM_METRICS_PORT: '0' };
  const env = { ...local, ...mountSecrets(pod, secrets, folder) };
  const start = () => runPod(t, pod, { env });
  const pods = await Promise.all([start(), start()]);

  // as `kubectl exec deployment/toponym -- toponym keys create` does
  const keys = (...words: string[]) => runKeys({ ...environmentOf(pod), ...env }, ...words);
  const { id, key } = await keys('create', '--label', 'my site');
  const search = { form: { query: 'alba' }, key };
  // on a busy machine, Redis may answer too late for the first call after a change of keys
  const untilStatus = async (status: number) => {
    for (const each of pods) {
      await waitUntil(`a call gets ${status}`, async () => (await each.call('/api/1/query', search)).status === status);
    }
  };
  await untilStatus(200);
  await keys('revoke', id);
  await untilStatus(403);
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

/**
 * Writes the files of Secrets as the kubelet does, with links. Returns the variables of the pod
 * that name these files, with their paths on this machine.
 */
function mountSecrets(
  pod: Manifest,
  secrets: Record<string, Record<string, string>>,
  folder: string,
): Record<string, string> {
  const moved: Record<string, string> = {};
  for (const { name, secret } of pod.volumes.filter((volume: Manifest) => volume.secret?.secretName in secrets)) {
    const { mountPath } = pod.containers[0].volumeMounts.find((mount: Manifest) => mount.name === name);
    mkdirSync(join(folder, name, '..data'), { recursive: true });
    for (const { key, path } of secret.items) {
      writeFileSync(join(folder, name, '..data', path), secrets[secret.secretName]?.[key] ?? '');
      symlinkSync(join('..data', path), join(folder, name, path));
      const [variable] = Object.entries(environmentOf(pod)).find(([, value]) => value === join(mountPath, path)) ?? [];
      assert.ok(variable !== undefined, `no variable names ${mountPath}/${path}`);
      moved[variable] = join(folder, name, path);
    }
  }
  return moved;
}

function environmentOf(pod: Manifest): Record<string, string> {
  return Object.fromEntries(pod.containers[0].env.map(({ name, value }: Manifest) => [name, value]));
}

interface PodRun {
  readonly state?: string;
  /** Changes to the environment. */
  readonly env?: Record<string, string>;
}

/** Runs a service with the environment of the pod. Only addresses, paths and files differ. */
async function runPod(t: TestContext, pod: Manifest, { state, env: changed }: PodRun = {}): Promise<RunningService> {
  assert.deepEqual(pod.containers[0].args, ['serve', '--json']);
  const env = environmentOf(pod);
  const local = {
    TOPONYM_HOST: '127.0.0.1',
    TOPONYM_TLS_CERT: '',
    TOPONYM_TLS_KEY: '',
    ...(env.TOPONYM_METRICS_HOST && { TOPONYM_METRICS_HOST: '127.0.0.1', TOPONYM_METRICS_PORT: '0' }),
    ...changed,
  };
  const service = await runService(t, {
    ...(state !== undefined && { state }),
    env: { ...env, ...local },
    index: await smallIndex(),
    args: ['--threads', '1'],
  });
  // standard output, which a container logs, has the one line of `ready`
  const printed = JSON.stringify(service.ready) + service.log();
  assert.ok(service.key === '' || !printed.includes(service.key));
  return service;
}
