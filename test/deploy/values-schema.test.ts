import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { SERVE_SETTINGS } from 'toponym-program/cli/settings/settings';
import { ADAPTER_NAMES } from 'toponym-server/compat/compat-settings';
import { parse } from 'yaml';

type Values = Record<string, unknown>;

const CHART = join(import.meta.dirname, '../../deploy/helm/toponym');
const SCHEMA = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'));
const DEFAULTS: Values = readYaml('values.yaml');
/** Settings that the chart derives from other values. */
const OWN_SETTINGS = [
  'host',
  'port',
  'state',
  'tlsCert',
  'tlsKey',
  'behindProxy',
  'socketMode',
  'trustedProxies',
  'metricsHost',
  'metricsPort',
  'redis',
  'redisMode',
  'redisPassword',
  'redisPasswordFile',
  'redisCa',
  'redisPrefix',
  // a second port, which the chart has not
  'compatListen',
  'compatFrom',
  'compatOpen',
  'compatHosts',
];
const isValid = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false }).compile(
  SCHEMA,
);

test('the default values and the examples are valid', () => {
  assert.deepEqual(problemsOf({}), []);
  for (const file of readdirSync(join(CHART, 'ci'))) assert.deepEqual(problemsOf(readYaml(join('ci', file))), [], file);
});

test('every default is in the schema, and every value of the schema has a default', () => {
  const { global: _, ...properties } = SCHEMA.properties;
  assert.deepEqual(Object.keys(properties).sort(), Object.keys(DEFAULTS).sort());
});

test('`config` takes every setting of the service that the chart does not set itself', () => {
  const expected = SERVE_SETTINGS.filter((key) => !OWN_SETTINGS.includes(key));
  assert.deepEqual(Object.keys(SCHEMA.properties.config.properties).sort(), [...expected].sort());
});

test('`config.compat` takes every adapter', () => {
  assert.deepEqual(SCHEMA.properties.config.properties.compat.items.enum, ADAPTER_NAMES);
});

const RIGHT: readonly Values[] = [
  { resources: { requests: { cpu: 0.5, memory: '1.5Gi' } } },
  { trustedProxies: ['10.0.0.7', '10.0.0.0/8', '::1', 'fd00:10:244::/56', '::ffff:10.0.0.1'] },
  { keys: { existingSecret: '123' }, persistence: { storageClassName: '-' } },
  { nodeSelector: null, affinity: null },
  { redis: { urls: ['redis://10.0.0.5', 'rediss://me@redis-1.redis.svc:6380/2', 'redis://[fd00::5]:6379'] } },
  { redis: { mode: 'sentinel:places', prefix: 'eu:places' }, networkPolicy: { redisPorts: [6379, 26379] } },
];

for (const values of RIGHT) {
  test(`${JSON.stringify(values)} is valid`, () => assert.deepEqual(problemsOf(values), []));
}

const WRONG: readonly (readonly [Values, string])[] = [
  [{ replicas: 2 }, '/: must NOT have additional properties (replicas)'],
  [{ replicaCount: 0 }, '/replicaCount: must be >= 1'],
  [{ image: { digest: 'latest' } }, '/image/digest: must match pattern "^(sha256:[0-9a-f]{64})?$"'],
  [{ tls: { mode: 'none' } }, '/tls/mode: must be equal to one of the allowed values (service, proxy)'],
  [{ tls: { mode: 'proxy' } }, '/trustedProxies: must NOT have fewer than 1 items'],
  [{ trustedProxies: ['ingress'] }, '/trustedProxies/0: must match pattern'],
  [{ trustedProxies: ['10.0.0.256'] }, '/trustedProxies/0: must match pattern'],
  [{ trustedProxies: ['10.0.0.0/33'] }, '/trustedProxies/0: must match pattern'],
  [{ listenAddress: '127.0.0.1' }, '/listenAddress: must be equal to one of the allowed values (0.0.0.0, ::)'],
  [{ nameOverride: 'Bad Name' }, '/nameOverride: must match pattern'],
  [{ fullnameOverride: '1places' }, '/fullnameOverride: must match pattern'],
  [{ keys: { existingSecret: 'a b' } }, '/keys/existingSecret: must match pattern'],
  [{ redis: { urls: ['http://10.0.0.5'] } }, '/redis/urls/0: must match pattern'],
  [{ redis: { urls: ['redis://a,redis://b'] } }, '/redis/urls/0: must match pattern'],
  [{ redis: { urls: 'redis://10.0.0.5' } }, '/redis/urls: must be array'],
  [{ redis: { password: 'secret' } }, '/redis: must NOT have additional properties (password)'],
  [{ redis: { mode: 'sentinel' } }, '/redis/mode: must match pattern'],
  [{ redis: { prefix: '{a}' } }, '/redis/prefix: must match pattern'],
  [{ redis: { existingSecret: 'a b' } }, '/redis/existingSecret: must match pattern'],
  [{ redis: null }, "/: must have required property 'redis'"],
  [{ networkPolicy: { redisPorts: [0] } }, '/networkPolicy/redisPorts/0: must be >= 1'],
  [{ ingress: { hosts: [{ host: 'a', path: '/x: y' }] } }, '/ingress/hosts/0/path: must match pattern'],
  [{ metrics: { port: null } }, "/metrics: must have required property 'port'"],
  [{ ingress: { enabled: true } }, '/ingress/hosts: must NOT have fewer than 1 items'],
  [{ config: { port: 9000 } }, '/config: must NOT have additional properties (port)'],
  [{ config: { threads: 0 } }, '/config/threads: must be >= 1'],
  [
    { config: { logLevel: 'loud' } },
    '/config/logLevel: must be equal to one of the allowed values (trace, debug, info, warn, error, fatal, silent)',
  ],
  [{ config: { drainSeconds: null } }, "/config: must have required property 'drainSeconds'"],
  [{ persistence: { size: 'big' } }, '/persistence/size: must match pattern'],
  [{ metrics: { port: 80 } }, '/metrics/port: must be >= 1024'],
  [
    { service: { type: 'ExternalName' } },
    '/service/type: must be equal to one of the allowed values (ClusterIP, NodePort, LoadBalancer)',
  ],
  [
    { podDisruptionBudget: { maxUnavailable: '0%' } },
    '/podDisruptionBudget/maxUnavailable: must match pattern "^([1-9]|[1-9][0-9]|100)%$"',
  ],
];

for (const [values, problem] of WRONG) {
  test(`${JSON.stringify(values)} is refused`, () => {
    const problems = problemsOf(values);
    assert.ok(
      problems.some((found) => found === problem || found.startsWith(`${problem} "`)),
      `expected ${JSON.stringify(problem)}, got ${JSON.stringify(problems, null, 2)}`,
    );
  });
}

function problemsOf(values: Values): string[] {
  if (isValid(override(DEFAULTS, values))) return [];
  return (isValid.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty, allowedValues } = params;
    const detail = additionalProperty ?? allowedValues?.join(', ');
    return `${instancePath || '/'}: ${message}${detail === undefined ? '' : ` (${detail})`}`;
  });
}

/** Merges values as Helm does: null removes a value. */
function override(defaults: Values, values: Values): Values {
  const merged = { ...defaults };
  for (const [key, value] of Object.entries(values)) {
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) && isObject(merged[key]) ? override(merged[key], value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readYaml(file: string): Values {
  return parse(readFileSync(join(CHART, file), 'utf8'));
}
