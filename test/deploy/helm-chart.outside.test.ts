import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { SERVE_SETTINGS, SETTINGS, variableFor } from '../../src/cli/settings/settings.ts';
import { VERSION } from '../../src/program.ts';
import { CHART, compileRenderer, type Manifest, RELEASE, renderChart } from '../support/helm/chart-renderer.ts';
import { findProblems } from '../support/helm/manifest-check.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const skip = await compileRenderer();
const EXAMPLES = join(CHART, 'ci');
const CASES: Record<string, readonly string[]> = {
  defaults: [],
  ...Object.fromEntries(readdirSync(EXAMPLES).map((file) => [file, [join(EXAMPLES, file)]])),
};

/** Values that look like numbers. */
const NUMBERS = {
  nameOverride: '123',
  fullnameOverride: 'places',
  keys: { existingSecret: '123' },
  tls: { existingSecret: '456' },
  priorityClassName: '789',
  podSecurityContext: { runAsUser: 1000 },
  resources: { requests: { cpu: 0.5 } },
};

const tcp = (port: number) => ({ port, protocol: 'TCP' });
const DNS = { ports: [{ port: 53, protocol: 'UDP' }, tcp(53)] };
const NODES = ['redis://a:7001', 'redis://b:7002/0', 'redis://[fd00::7]:7002'];
const SENTINELS = { urls: ['redis://a:26379', 'redis://b:26379'], mode: 'sentinel:places' };
const TO = [{ ipBlock: { cidr: '10.0.0.0/8' } }];
const HTTPS = { ports: [tcp(443)] };
const POLICIES: readonly { title: string; values: object; egress: readonly object[] }[] = [
  {
    title: 'what networkPolicy.egress allows',
    values: { networkPolicy: { egress: [HTTPS] } },
    egress: [HTTPS],
  },
  {
    title: 'Redis and DNS',
    values: { redis: { urls: ['redis://me@redis.svc'] } },
    egress: [{ ports: [tcp(6379)] }, DNS],
  },
  {
    title: 'the nodes of a cluster, DNS and what networkPolicy.egress allows',
    values: { redis: { urls: NODES, mode: 'cluster' }, networkPolicy: { redisTo: TO, egress: [HTTPS] } },
    egress: [{ ports: [tcp(7001), tcp(7002)], to: TO }, DNS, HTTPS],
  },
  {
    title: 'sentinels, their Redis and DNS',
    values: { redis: SENTINELS },
    egress: [{ ports: [tcp(26379), tcp(6379)] }, DNS],
  },
  {
    title: 'the ports of networkPolicy.redisPorts and DNS',
    values: { redis: SENTINELS, networkPolicy: { redisPorts: [26379, 6390] } },
    egress: [{ ports: [tcp(26379), tcp(6390)] }, DNS],
  },
];

test('the chart renders manifests that Kubernetes accepts', { skip }, async (t) => {
  const policies = POLICIES.map(({ values }) => [writeValues(t, values)]);
  const charts = [
    ...(await Promise.all([...Object.values(CASES), ...policies].map((files) => renderChart(files)))),
    await renderChart([writeValues(t, NUMBERS)], '42'),
  ];
  for (const { manifests } of charts) assertNoDuplicates(manifests);
  const manifests = charts.flatMap((chart) => chart.manifests);
  const distinct = new Map(manifests.map((manifest) => [JSON.stringify(manifest), manifest]));
  assert.deepEqual(await findProblems(t, [...distinct.values()]), []);
});

for (const [name, files] of Object.entries(CASES)) {
  test(`the parts of the chart with ${name} fit together`, { skip }, async () => {
    const { manifests } = await renderChart(files);
    assertSelectorsMatchPods(manifests);
    assertPortsExist(manifests);
    assertVolumesExist(manifests);
    assertBudgetCanBeMet(manifests);
  });

  test(`the pods of the chart with ${name} are hardened and drain in time`, { skip }, async () => {
    const { manifests } = await renderChart(files);
    assertHardened(manifests);
    const env = environmentOf(manifests);
    for (const variable of Object.keys(env)) assert.ok(VARIABLES.has(variable), `${variable} is no setting`);
    const drainSeconds = Number(env.TOPONYM_DRAIN_GRACE_SECONDS) + Number(env.TOPONYM_DRAIN_SECONDS);
    assert.ok(podOf(manifests).terminationGracePeriodSeconds > drainSeconds);
  });
}

const VARIABLES = new Map(SERVE_SETTINGS.map((key) => [variableFor(key), SETTINGS[key]]));

test('manifests with an unknown field or a wrong type are found', { skip }, async (t) => {
  const { manifests } = await renderChart([]);
  const deployment = structuredClone(only(manifests, 'Deployment'));
  deployment.spec.template.spec.containers[0].readynessProbe = {};
  deployment.spec.replicas = 'two';
  const problems = (await findProblems(t, [deployment])).join('\n');
  assert.match(problems, /readynessProbe/);
  assert.match(problems, /spec\/replicas must be integer/);
});

test('the chart and its images have the version of the package', { skip }, async () => {
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
  assert.equal(chart.appVersion, VERSION);
  const { manifests } = await renderChart([]);
  assert.equal(podOf(manifests).containers[0].image, `registry.example.com/toponym:${VERSION}`);
});

test('one pod keeps its keys on a volume and is replaced, not doubled', { skip }, async () => {
  const { manifests } = await renderChart([]);
  assert.deepEqual(kindsOf(manifests), [
    'Deployment',
    'NetworkPolicy',
    'PersistentVolumeClaim',
    'Service',
    'ServiceAccount',
  ]);
  assert.deepEqual(only(manifests, 'Deployment').spec.strategy, { type: 'Recreate' });
});

test('several pods get their keys from a Secret and are replaced without a gap', { skip }, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'several-pods-values.yaml')]);
  assert.ok(!kindsOf(manifests).includes('PersistentVolumeClaim'));
  assert.deepEqual(only(manifests, 'Deployment').spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
});

test('several pods without Redis or a Secret of keys are refused', { skip }, async (t) => {
  const reason = /more than one pod .* needs redis\.urls or keys\.existingSecret/;
  await assertRefused(t, { replicaCount: 2 }, reason);
  await assertRefused(t, { autoscaling: { enabled: true } }, reason);
});

test('several pods with Redis need no volume or Secret of keys, and are replaced without a gap', {
  skip,
}, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'redis-values.yaml')]);
  assert.ok(!kindsOf(manifests).includes('PersistentVolumeClaim'));
  assert.deepEqual(only(manifests, 'Deployment').spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
  const { volumes, initContainers } = podOf(manifests);
  assert.deepEqual(
    volumes.find(({ name }: Manifest) => name === 'state'),
    { name: 'state', emptyDir: { sizeLimit: '1Gi' } },
  );
  assert.equal(initContainers, undefined);
});

test('pods with Redis can be scaled automatically', { skip }, async (t) => {
  const file = writeValues(t, { redis: { urls: ['redis://10.0.0.5'] }, autoscaling: { enabled: true } });
  const { manifests } = await renderChart([file]);
  assert.equal(only(manifests, 'HorizontalPodAutoscaler').spec.minReplicas, 2);
});

test('the password of Redis reaches the pods as a file, not as a variable', { skip }, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'redis-values.yaml')]);
  const env = environmentOf(manifests);
  const names = Object.keys(env).filter((name) => name.startsWith('TOPONYM_REDIS'));
  assert.deepEqual(Object.fromEntries(names.map((name) => [name, env[name]])), {
    TOPONYM_REDIS: 'rediss://redis.redis.svc:6380',
    TOPONYM_REDIS_MODE: 'standalone',
    TOPONYM_REDIS_PREFIX: 'places',
    TOPONYM_REDIS_PASSWORD_FILE: '/etc/toponym/redis-password/password',
    TOPONYM_REDIS_CA: '/etc/toponym/redis-ca/ca.crt',
  });
  const secrets = podOf(manifests).volumes.filter(({ name }: Manifest) => name.startsWith('redis'));
  assert.deepEqual(
    secrets.map(({ secret }: Manifest) => [secret.secretName, secret.items]),
    [
      ['redis-password', [{ key: 'password', path: 'password' }]],
      ['redis-ca', [{ key: 'ca.crt', path: 'ca.crt' }]],
    ],
  );
  for (const [variable, value] of Object.entries(env)) VARIABLES.get(variable)?.parse(value);
});

for (const { title, values, egress } of POLICIES) {
  test(`pods may open connections only to ${title}`, { skip }, async (t) => {
    const { manifests } = await renderChart([writeValues(t, values)]);
    assert.deepEqual(only(manifests, 'NetworkPolicy').spec.egress, egress);
  });
}

test('settings of Redis that cannot work are refused', { skip }, async (t) => {
  const urls = ['redis://a'];
  const keys = { existingSecret: 'keys' };
  await assertRefused(t, { redis: { urls }, keys }, /redis\.urls and keys\.existingSecret exclude each other/);
  await assertRefused(t, { redis: { mode: 'cluster' } }, /redis\.mode cluster needs redis\.urls/);
  await assertRefused(t, { redis: { existingSecret: 'a' } }, /redis\.existingSecret and .* need redis\.urls/);
  await assertRefused(t, { redis: { urls: ['redis://a', 'redis://b'] } }, /one server has one URL, got 2/);
  await assertRefused(t, { redis: { urls, caSecret: 'ca' } }, /redis\.caSecret needs rediss:/);
  const cluster = (...nodes: string[]) => ({ redis: { mode: 'cluster', urls: nodes } });
  await assertRefused(t, cluster('redis://a/1'), /a cluster has only database 0, got redis:\/\/a\/1/);
  await assertRefused(t, cluster('redis://a', 'rediss://b'), /redis:\/\/ and rediss:\/\/ cannot be mixed/);
  const withPassword = renderChart([writeValues(t, { redis: { urls: ['redis://me:swordfish@a'] } })]);
  await assert.rejects(withPassword, (error: Error & { stderr: string }) => {
    assert.match(error.stderr, /a URL must not have a password.*set redis\.existingSecret/);
    return !error.stderr.includes('swordfish');
  });
});

test('values that contradict each other are refused', { skip }, async (t) => {
  const keys = { existingSecret: 'keys' };
  const autoscaling = { enabled: true, minReplicas: 5, maxReplicas: 4 };
  await assertRefused(t, { keys, autoscaling }, /maxReplicas must be at least autoscaling\.minReplicas \(5\), got 4/);
  await assertRefused(t, { metrics: { serviceMonitor: { enabled: true } } }, /needs metrics\.enabled: true/);
});

test('an image must be named', { skip }, async (t) => {
  await assertRefused(t, { image: { repository: '' } }, /image\.repository is required: the name of your build/);
});

test('values that the service would refuse are refused', { skip }, async (t) => {
  await assertRefused(t, { metrics: { port: 8443 } }, /metrics\.port must not be 8443/);
  await assertRefused(t, { config: { proxyProtocol: true } }, /config\.proxyProtocol needs trustedProxies/);
  for (const block of ['0.0.0.0/0', '10.0.0.0/7', '::/0', 'fc00::/6']) {
    const values = { tls: { mode: 'proxy' }, trustedProxies: [block] };
    await assertRefused(t, values, /trustedProxies: with tls\.mode proxy, a block may be \/8 .* at most, got/);
  }
});

test('an ingress without trusted proxies is refused, because all clients would share one limit', {
  skip,
}, async (t) => {
  const ingress = { enabled: true, hosts: [{ host: 'a.example.com' }] };
  await assertRefused(t, { ingress }, /ingress\.enabled needs trustedProxies/);
});

test('labels that the chart sets are refused', { skip }, async (t) => {
  const labels = { 'app.kubernetes.io/name': 'other' };
  await assertRefused(t, { podLabels: labels }, /podLabels must not have the label app\.kubernetes\.io\/name/);
  const metrics = { enabled: true, serviceMonitor: { enabled: true, labels } };
  await assertRefused(t, { metrics }, /metrics\.serviceMonitor\.labels must not have the label/);
});

test('values that look like numbers stay texts', { skip }, async (t) => {
  const { manifests } = await renderChart([writeValues(t, NUMBERS)], '42');
  const { labels } = only(manifests, 'Deployment').metadata;
  assert.deepEqual([labels['app.kubernetes.io/name'], labels['app.kubernetes.io/instance']], ['123', '42']);
  await assert.rejects(renderChart([], '42'), /names of Services begin with a letter, got 42-toponym/);
});

test('texts with special characters of YAML stay whole', { skip }, async (t) => {
  const ingress = { enabled: true, hosts: [{ host: 'a.example.com', path: '/x: y' }] };
  const file = writeValues(t, { ingress, trustedProxies: ['10.0.0.1'], persistence: { storageClassName: '-' } });
  const { manifests } = await renderChart([file]);
  assert.equal(only(manifests, 'Ingress').spec.rules[0].http.paths[0].path, '/x: y');
  assert.equal(only(manifests, 'PersistentVolumeClaim').spec.storageClassName, '');
});

test('probes of pods that expect PROXY headers use the metrics port', { skip }, async (t) => {
  const file = writeValues(t, { config: { proxyProtocol: true }, trustedProxies: ['10.0.0.0/8'] });
  const { manifests } = await renderChart([file]);
  const { readinessProbe, livenessProbe, startupProbe } = podOf(manifests).containers[0];
  for (const { httpGet } of [readinessProbe, livenessProbe, startupProbe]) {
    assert.deepEqual([httpGet.port, httpGet.scheme], ['metrics', 'HTTP']);
  }
  assertPortsExist(manifests);
});

test('the number of threads does not depend on the node', { skip }, async () => {
  const { manifests } = await renderChart([]);
  assert.equal(environmentOf(manifests).TOPONYM_THREADS, '4');
});

test('OpenShift may choose the user', { skip }, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'openshift-values.yaml')]);
  assert.deepEqual(podOf(manifests).securityContext, {
    fsGroupChangePolicy: 'OnRootMismatch',
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
});

test('probes of a pod behind a proxy use the metrics port, which every peer may call', { skip }, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'proxy-values.yaml')]);
  const { readinessProbe, livenessProbe, startupProbe } = podOf(manifests).containers[0];
  for (const { httpGet } of [readinessProbe, livenessProbe, startupProbe]) {
    assert.equal(httpGet.port, 'metrics');
    assert.equal(httpGet.scheme, 'HTTP');
  }
  const env = environmentOf(manifests);
  assert.equal(env.TOPONYM_BEHIND_PROXY, 'true');
  assert.equal(env.TOPONYM_TRUSTED_PROXIES, '10.244.0.0/16');
  assert.equal(env.TOPONYM_METRICS_HOST, '0.0.0.0');
});

test('probes of a pod that asks for client certificates use the metrics port', { skip }, async () => {
  const { manifests, notes } = await renderChart([join(EXAMPLES, 'everything-values.yaml')]);
  assert.match(notes, /^The pods ask for a client certificate: add curl's --cert and --key\.$/m);
  const { readinessProbe, livenessProbe, startupProbe } = podOf(manifests).containers[0];
  for (const { httpGet } of [readinessProbe, livenessProbe, startupProbe])
    assert.deepEqual([httpGet.port, httpGet.scheme], ['metrics', 'HTTP']);
});

test('settings in `config` become variables of the pod', { skip }, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'everything-values.yaml')]);
  const { config } = parse(readFileSync(join(EXAMPLES, 'everything-values.yaml'), 'utf8'));
  const env = environmentOf(manifests);
  for (const [key, value] of Object.entries(config)) assert.equal(env[variableFor(key)], String(value));
  for (const [variable, value] of Object.entries(env)) VARIABLES.get(variable)?.parse(value);
});

test('the notes show how to get a key and a call to paste', { skip }, async () => {
  const { notes } = await renderChart([]);
  assert.match(notes, /kubectl --namespace places exec deployment\/release-toponym -- \\\n.*keys create/);
  assert.match(
    notes,
    /curl --insecure -H "X-Service-Key: \$KEY" -d query=par https:\/\/127\.0\.0\.1:8443\/api\/1\/query/,
  );
  assert.match(notes, /^- Each pod counts calls for itself/m);
  const withRedis = await renderChart([join(EXAMPLES, 'redis-values.yaml')]);
  assert.match(withRedis.notes, /shown once and works at every pod:\n\n {2}KEY=\$\(kubectl .* exec .*\n.*keys create/);
  assert.match(withRedis.notes, /^Keys and limits of all pods are in Redis:\n- While Redis is down/m);
  assert.doesNotMatch(withRedis.notes, /counts calls for itself/);
  const behindIngress = await renderChart([join(EXAMPLES, 'proxy-values.yaml')]);
  assert.match(behindIngress.notes, /-d query=par https:\/\/places\.example\.com\/api\/1\/query/);
});

function assertNoDuplicates(manifests: readonly Manifest[]): void {
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.deepEqual(names, [...new Set(names)]);
}

function assertSelectorsMatchPods(manifests: readonly Manifest[]): void {
  const podLabels = only(manifests, 'Deployment').spec.template.metadata.labels;
  const selectors = [
    only(manifests, 'Deployment').spec.selector.matchLabels,
    ...all(manifests, 'Service').map(({ spec }) => spec.selector),
    ...all(manifests, 'NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
    ...all(manifests, 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
  ];
  for (const selector of selectors) assertIncludes(podLabels, selector);
  for (const { spec } of all(manifests, 'ServiceMonitor')) {
    const selected = all(manifests, 'Service').filter(({ metadata }) =>
      includes(metadata.labels, spec.selector.matchLabels),
    );
    assert.deepEqual(
      selected.map(({ metadata }) => metadata.name.endsWith('-metrics')),
      [true],
    );
    assert.deepEqual(spec.namespaceSelector.matchNames, [RELEASE.namespace]);
  }
  for (const { spec } of all(manifests, 'HorizontalPodAutoscaler')) {
    assert.equal(spec.scaleTargetRef.name, only(manifests, 'Deployment').metadata.name);
    assert.ok(only(manifests, 'Deployment').spec.replicas === undefined, 'the autoscaler decides on the replicas');
  }
}

/** Every port that a probe, Service, policy, Ingress or monitor names must exist. */
function assertPortsExist(manifests: readonly Manifest[]): void {
  const [container] = podOf(manifests).containers;
  const podPorts = container.ports.map(({ name }: Manifest) => name);
  const services = all(manifests, 'Service');
  const named = [
    ...[container.startupProbe, container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.port),
    ...services.flatMap(({ spec }) => spec.ports.map((port: Manifest) => port.targetPort)),
    ...all(manifests, 'NetworkPolicy').flatMap(({ spec }) =>
      spec.ingress.flatMap(({ ports }: Manifest) => ports.map(({ port }: Manifest) => port)),
    ),
  ];
  for (const port of named) assert.ok(podPorts.includes(port), `the pod has no port ${port}`);
  const servicePorts = new Map(
    services.map(({ metadata, spec }) => [metadata.name, spec.ports.map(({ name }: Manifest) => name)]),
  );
  for (const { spec } of all(manifests, 'Ingress')) {
    for (const { backend } of spec.rules.flatMap(({ http }: Manifest) => http.paths)) {
      assert.ok(servicePorts.get(backend.service.name).includes(backend.service.port.name));
    }
  }
  for (const { spec } of all(manifests, 'ServiceMonitor')) {
    for (const { port } of spec.endpoints) assert.ok([...servicePorts.values()].flat().includes(port));
  }
  const env = environmentOf(manifests);
  assert.equal(container.ports[0].containerPort, Number(env.TOPONYM_PORT));
  if (podPorts.includes('metrics')) assert.equal(container.ports[1].containerPort, Number(env.TOPONYM_METRICS_PORT));
}

function assertVolumesExist(manifests: readonly Manifest[]): void {
  const { containers, initContainers = [], volumes, serviceAccountName } = podOf(manifests);
  const mounted = [...containers, ...initContainers].flatMap(({ volumeMounts }) => volumeMounts);
  const volumeNames = volumes.map(({ name }: Manifest) => name);
  assert.deepEqual([...new Set(mounted.map(({ name }) => name))].sort(), [...volumeNames].sort());
  for (const { persistentVolumeClaim, name } of volumes) {
    if (name === 'state' && persistentVolumeClaim !== undefined) {
      assert.equal(persistentVolumeClaim.claimName, only(manifests, 'PersistentVolumeClaim').metadata.name);
    }
  }
  assert.equal(serviceAccountName, only(manifests, 'ServiceAccount').metadata.name);
  const env = environmentOf(manifests);
  const mounts: Manifest[] = containers[0].volumeMounts;
  for (const path of ['/tmp', env.TOPONYM_STATE]) {
    assert.ok(
      mounts.some((mount) => mount.mountPath === path && mount.readOnly !== true),
      `${path} is not writable`,
    );
  }
  for (const variable of [
    'TOPONYM_TLS_CERT',
    'TOPONYM_TLS_KEY',
    'TOPONYM_TLS_CLIENT_CA',
    'TOPONYM_INDEX',
    'TOPONYM_OVERLAY',
    'TOPONYM_REDIS_PASSWORD_FILE',
    'TOPONYM_REDIS_CA',
  ]) {
    const path = env[variable];
    if (path === undefined) continue;
    assert.ok(
      mounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`)),
      `no volume holds ${path}`,
    );
  }
}

/** A budget that allows no eviction would block the maintenance of nodes. */
function assertBudgetCanBeMet(manifests: readonly Manifest[]): void {
  const [autoscaler] = all(manifests, 'HorizontalPodAutoscaler');
  const pods = autoscaler?.spec.minReplicas ?? only(manifests, 'Deployment').spec.replicas;
  const [budget] = all(manifests, 'PodDisruptionBudget');
  assert.equal(budget !== undefined, pods > 1);
  if (budget === undefined) return;
  const { maxUnavailable } = budget.spec;
  const evictable =
    typeof maxUnavailable === 'number' ? maxUnavailable : Math.ceil((Number.parseInt(maxUnavailable, 10) / 100) * pods);
  assert.ok(evictable >= 1 && evictable < pods);
}

function assertHardened(manifests: readonly Manifest[]): void {
  const pod = podOf(manifests);
  assert.equal(pod.enableServiceLinks, false);
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.securityContext.runAsNonRoot, true);
  assert.notEqual(pod.securityContext.runAsUser, 0);
  assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' });
  for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.ok(container.resources.requests.memory && container.resources.limits.memory);
  }
  const secretModes = pod.volumes.flatMap(({ secret }: Manifest) => (secret ? [secret.defaultMode] : []));
  for (const mode of secretModes) assert.equal(mode, 0o440);
  const hasRedis = 'TOPONYM_REDIS' in environmentOf(manifests);
  assert.equal(only(manifests, 'NetworkPolicy').spec.egress.length, hasRedis ? 2 : 0);
}

async function assertRefused(t: TestContext, values: object, message: RegExp): Promise<void> {
  await assert.rejects(renderChart([writeValues(t, values)]), message);
}

function writeValues(t: TestContext, values: object): string {
  const file = join(temporaryFolder(t), 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  return file;
}

function all(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

function only(manifests: readonly Manifest[], kind: string): Manifest {
  const [found, ...others] = all(manifests, kind);
  assert.ok(found !== undefined && others.length === 0, `expected one ${kind}`);
  return found;
}

function podOf(manifests: readonly Manifest[]): Manifest {
  return only(manifests, 'Deployment').spec.template.spec;
}

function environmentOf(manifests: readonly Manifest[]): Record<string, string> {
  const [container] = podOf(manifests).containers;
  return Object.fromEntries(container.env.map(({ name, value }: Manifest) => [name, value]));
}

function kindsOf(manifests: readonly Manifest[]): string[] {
  return manifests.map(({ kind }) => kind).sort();
}

function includes(labels: Record<string, string>, selector: Record<string, string>): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function assertIncludes(labels: Record<string, string>, selector: Record<string, string>): void {
  assert.ok(Object.keys(selector).length > 0);
  assert.ok(includes(labels, selector), `${JSON.stringify(selector)} does not select the pods`);
}
