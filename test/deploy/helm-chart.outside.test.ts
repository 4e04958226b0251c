import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { VERSION } from 'toponym-files/program';
import { SERVE_SETTINGS, SETTINGS, variableFor } from 'toponym-program/cli/settings/settings';
import { parse } from 'yaml';
import { CHART, compileRenderer, type Manifest, RELEASE, renderChart } from '../support/helm/chart-renderer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { compilerProblems } from './compiler-problems.ts';

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
  test(`the parts of the chart with ${name} fit together; its pods are hardened and drain in time`, {
    skip,
  }, async () => {
    const { manifests } = await renderChart(files);
    assertSelectorsMatchPods(manifests);
    assertPortsExist(manifests);
    assertVolumesExist(manifests);
    assertBudgetCanBeMet(manifests);
    assertHardened(manifests);
    const env = environmentOf(manifests);
    for (const [variable, value] of Object.entries(env)) {
      assert.ok(VARIABLES.has(variable), `${variable} is no setting`);
      VARIABLES.get(variable)?.parse(value);
    }
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

for (const [source, file] of [
  ['a Secret', 'several-pods-values.yaml'],
  ['Redis', 'redis-values.yaml'],
] as const) {
  test(`several pods get their keys from ${source}, need no volume and are replaced without a gap`, {
    skip,
  }, async () => {
    const { manifests } = await renderChart([join(EXAMPLES, file)]);
    assert.ok(!kindsOf(manifests).includes('PersistentVolumeClaim'));
    assert.deepEqual(only(manifests, 'Deployment').spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
    const { volumes, initContainers } = podOf(manifests);
    const state = volumes.find(({ name }: Manifest) => name === 'state');
    assert.deepEqual(state, { name: 'state', emptyDir: { sizeLimit: '1Gi' } });
    assert.equal(initContainers === undefined, source === 'Redis', 'an init container copies the keys of the Secret');
  });
}

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
});

for (const { title, values, egress } of POLICIES) {
  test(`pods may open connections only to ${title}`, { skip }, async (t) => {
    const { manifests } = await renderChart([writeValues(t, values)]);
    assert.deepEqual(only(manifests, 'NetworkPolicy').spec.egress, egress);
  });
}

const URLS = ['redis://a'];
const KEYS = { existingSecret: 'keys' };
const CHART_LABEL = { 'app.kubernetes.io/name': 'other' };
const NEEDS_SHARED_KEYS = /more than one pod .* needs redis\.urls or keys\.existingSecret/;
const TOO_MANY_PROXIES = /trustedProxies: with tls\.mode proxy, a block may be \/8 .* at most, got/;
const cluster = (...urls: string[]) => ({ redis: { mode: 'cluster', urls } });
const behind = (block: string) => ({ tls: { mode: 'proxy' }, trustedProxies: [block] });

/** Values that contradict each other, or that the service would refuse. */
const REFUSED: readonly (readonly [values: object, message: RegExp])[] = [
  [{ image: { repository: '' } }, /image\.repository is required: the name of your build/],
  [{ replicaCount: 2 }, NEEDS_SHARED_KEYS],
  [{ autoscaling: { enabled: true } }, NEEDS_SHARED_KEYS],
  [
    { keys: KEYS, autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 4 } },
    /maxReplicas must be at least autoscaling\.minReplicas \(5\), got 4/,
  ],
  [{ redis: { urls: URLS }, keys: KEYS }, /redis\.urls and keys\.existingSecret exclude each other/],
  [{ redis: { mode: 'cluster' } }, /redis\.mode cluster needs redis\.urls/],
  [{ redis: { existingSecret: 'a' } }, /redis\.existingSecret and .* need redis\.urls/],
  [{ redis: { urls: ['redis://a', 'redis://b'] } }, /one server has one URL, got 2/],
  [{ redis: { urls: URLS, caSecret: 'ca' } }, /redis\.caSecret needs rediss:/],
  [cluster('redis://a/1'), /a cluster has only database 0, got redis:\/\/a\/1/],
  [cluster('redis://a', 'rediss://b'), /redis:\/\/ and rediss:\/\/ cannot be mixed/],
  [
    { redis: { urls: ['redis://me:swordfish@a'] } },
    /^(?![\s\S]*swordfish)[\s\S]*a URL must not have a password.*set redis\.existingSecret/,
  ],
  [{ metrics: { serviceMonitor: { enabled: true } } }, /needs metrics\.enabled: true/],
  [{ metrics: { port: 8443 } }, /metrics\.port must not be 8443/],
  [{ config: { proxyProtocol: true } }, /config\.proxyProtocol needs trustedProxies/],
  ...['0.0.0.0/0', '10.0.0.0/7', '::/0', 'fc00::/6'].map((block) => [behind(block), TOO_MANY_PROXIES] as const),
  // all clients would share one limit
  [{ ingress: { enabled: true, hosts: [{ host: 'a.example.com' }] } }, /ingress\.enabled needs trustedProxies/],
  [{ podLabels: CHART_LABEL }, /podLabels must not have the label app\.kubernetes\.io\/name/],
  [
    { metrics: { enabled: true, serviceMonitor: { enabled: true, labels: CHART_LABEL } } },
    /metrics\.serviceMonitor\.labels must not have the label/,
  ],
];

for (const [values, message] of REFUSED) {
  test(`the chart refuses ${JSON.stringify(values)}`, { skip }, async (t) => {
    const error = await renderChart([writeValues(t, values)]).then(
      () => assert.fail('the chart was rendered'),
      ({ stderr }: { stderr: string }) => stderr,
    );
    assert.match(error, message);
  });
}

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

for (const [pods, values] of [
  ['expect PROXY headers', { config: { proxyProtocol: true }, trustedProxies: ['10.0.0.0/8'] }],
  ['are behind a proxy', 'proxy-values.yaml'],
  ['ask for client certificates', 'everything-values.yaml'],
] as const) {
  test(`probes of pods that ${pods} use the metrics port, which every peer may call`, { skip }, async (t) => {
    const file = typeof values === 'string' ? join(EXAMPLES, values) : writeValues(t, values);
    const { manifests } = await renderChart([file]);
    const { readinessProbe, livenessProbe, startupProbe } = podOf(manifests).containers[0];
    for (const { httpGet } of [readinessProbe, livenessProbe, startupProbe]) {
      assert.deepEqual([httpGet.port, httpGet.scheme], ['metrics', 'HTTP']);
    }
    assertPortsExist(manifests);
    assert.match(environmentOf(manifests).TOPONYM_METRICS_HOST ?? '', /^(0\.0\.0\.0|::)$/);
  });
}

test('OpenShift may choose the user', { skip }, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'openshift-values.yaml')]);
  assert.deepEqual(podOf(manifests).securityContext, {
    fsGroupChangePolicy: 'OnRootMismatch',
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
});

test('settings in `config` become variables of the pod', { skip }, async () => {
  const { manifests } = await renderChart([join(EXAMPLES, 'everything-values.yaml')]);
  const { config } = parse(readFileSync(join(EXAMPLES, 'everything-values.yaml'), 'utf8'));
  const env = environmentOf(manifests);
  for (const [key, value] of Object.entries(config)) assert.equal(env[variableFor(key)], String(value));
  assert.equal(environmentOf((await renderChart([])).manifests).TOPONYM_THREADS, '4', 'whatever node it is');
  const behindProxy = environmentOf((await renderChart([join(EXAMPLES, 'proxy-values.yaml')])).manifests);
  const { TOPONYM_BEHIND_PROXY, TOPONYM_TRUSTED_PROXIES } = behindProxy;
  assert.deepEqual([TOPONYM_BEHIND_PROXY, TOPONYM_TRUSTED_PROXIES], ['true', '10.244.0.0/16']);
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
  const withCertificates = await renderChart([join(EXAMPLES, 'everything-values.yaml')]);
  assert.match(withCertificates.notes, /^The pods ask for a client certificate: add curl's --cert and --key\.$/m);
});

/**
 * Strict checks against the Kubernetes API: the validators of kubernetes-models check types, formats
 * and required fields, and the compiler refuses unknown fields.
 */
async function findProblems(t: TestContext, manifests: readonly Manifest[]): Promise<string[]> {
  const invalid = manifests.map(async (manifest) => {
    try {
      const models = await import(modelsOf(manifest));
      new models[manifest.kind](manifest).validate();
      return [];
    } catch (error) {
      return [`${manifest.kind} ${manifest.metadata?.name}: ${(error as Error).message}`];
    }
  });
  const modules = manifests.map((manifest, i) => [
    `${manifest.kind}-${manifest.metadata?.name}-${i}`,
    `import type { I${manifest.kind} } from '${modelsOf(manifest)}';
export const manifest: I${manifest.kind} = ${JSON.stringify(manifest, null, 2)};\n`,
  ]);
  return [...(await Promise.all(invalid)).flat(), ...(await compilerProblems(t, Object.fromEntries(modules)))];
}

function modelsOf({ apiVersion }: Manifest): string {
  const isPrometheus = apiVersion.startsWith('monitoring.coreos.com/');
  return `${isPrometheus ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`;
}

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
