import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { isInAny, parseAddress, parseCidr } from 'toponym-access/address';
import { VERSION } from 'toponym-files/program';
import { readyRequests } from 'toponym-program/cli/container/ready-request';
import { resolveSettings } from 'toponym-program/cli/settings/read-settings';
import { SERVE_SETTINGS, SETTINGS, variableFor } from 'toponym-program/cli/settings/settings';
import { parse } from 'yaml';

const FOLDER = fileURLToPath(new URL('../../deploy/compose', import.meta.url));
const COMPOSE = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true });
const CADDYFILE = readFileSync(join(FOLDER, 'Caddyfile'), 'utf8');
const REPLICAS = ['toponym-1', 'toponym-2'].map((name) => COMPOSE.services[name]);
const { redis: REDIS, caddy: CADDY } = COMPOSE.services;
// dclint, a linter of compose files, carries the schema of the Compose specification
const SCHEMA_FILE = join(
  dirname(fileURLToPath(import.meta.resolve('dclint/package.json'))),
  'schemas/compose.schema.json',
);
const isValid = new Ajv({ allErrors: true, strict: false, validateSchema: false, validateFormats: false }).compile(
  without$schema(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))),
);

test('the compose file follows the Compose specification, which refuses an unknown key', () => {
  const wrong = structuredClone(COMPOSE);
  wrong.services.caddy.portz = [];
  assert.ok(!isValid(wrong));
  assert.ok(isValid(COMPOSE), JSON.stringify(isValid.errors, null, 2));
});

test('networks, volumes, files and services that the compose file names exist', () => {
  for (const service of Object.values<Service>(COMPOSE.services)) {
    for (const network of networksOf(service)) assert.ok(network in COMPOSE.networks, network);
    for (const name of Object.keys(service.depends_on ?? {})) assert.ok(name in COMPOSE.services, name);
    for (const [source = ''] of service.volumes.map((volume) => volume.split(':'))) {
      assert.ok(source.startsWith('.') ? existsSync(join(FOLDER, source)) : source in COMPOSE.volumes, source);
    }
  }
  for (const [, name = ''] of CADDYFILE.matchAll(/(toponym-\d):8080/g)) assert.ok(name in COMPOSE.services, name);
});

test('one service builds the image under a local name, and nothing is pulled for the other one', () => {
  const [first, second] = REPLICAS;
  assert.ok(existsSync(join(FOLDER, first.build.context, 'package.json')));
  assert.deepEqual([first.pull_policy, second.pull_policy, second.build], ['build', 'never', undefined]);
  for (const { image } of REPLICAS) assert.equal(image, `toponym:${VERSION}`);
});

test('the replicas get valid settings, and trust Caddy alone', () => {
  const settings = new Map(SERVE_SETTINGS.map((key) => [variableFor(key), SETTINGS[key]]));
  for (const { environment, stop_grace_period } of REPLICAS) {
    for (const [variable, value] of Object.entries<string>(environment)) {
      const setting = settings.get(variable);
      assert.ok(setting !== undefined, `${variable} is no setting`);
      setting.parse(value);
    }
    assert.equal(environment.TOPONYM_TRUSTED_PROXIES, CADDY.networks.inside.ipv4_address);
    const drainSeconds = Number(environment.TOPONYM_DRAIN_GRACE_SECONDS) + Number(environment.TOPONYM_DRAIN_SECONDS);
    assert.ok(Number.parseInt(stop_grace_period, 10) > drainSeconds);
  }
});

test('the replicas wait for Redis, run on a machine with one core, and have a state folder each', () => {
  for (const { environment, depends_on, deploy } of REPLICAS) {
    assert.equal(environment.TOPONYM_REDIS, 'redis://redis:6379');
    assert.deepEqual(depends_on, { redis: { condition: 'service_healthy' } });
    assert.deepEqual([deploy.resources.limits.cpus, environment.TOPONYM_THREADS], [undefined, '2']);
  }
  const [first, second] = REPLICAS.map(({ volumes }) => volumes);
  assert.deepEqual([first.length, second.length], [1, 1]);
  assert.notDeepEqual(first, second);
});

test('Redis keeps keys and limits on a volume, and never deletes them to free memory', () => {
  const [program, ...args]: string[] = REDIS.command;
  assert.equal(program, 'valkey-server');
  const options = Object.fromEntries(args.flatMap((name, i) => (name.startsWith('--') ? [[name, args[i + 1]]] : [])));
  assert.deepEqual(options, {
    '--appendonly': 'yes',
    '--save': '',
    '--maxmemory': '256mb',
    '--maxmemory-policy': 'noeviction',
  });
  // /data is the working folder of the image
  assert.deepEqual(REDIS.volumes, ['redis:/data']);
  assert.match(REDIS.image, /^valkey\/valkey:\d+\.\d+\.\d+-alpine@/);
  const limit = Number.parseInt(REDIS.deploy.resources.limits.memory, 10);
  assert.ok(limit >= 2 * 256, 'rewriting the log copies the data');
});

test('only the replicas can connect to Redis, which has no password', () => {
  assert.ok(!('ports' in REDIS));
  assert.deepEqual(REDIS.networks, ['data']);
  assert.equal(COMPOSE.networks.data.internal, true);
  const connected = Object.entries<Service>(COMPOSE.services).filter(([, service]) =>
    networksOf(service).includes('data'),
  );
  assert.deepEqual(connected.map(([name]) => name).sort(), ['redis', 'toponym-1', 'toponym-2']);
});

test("Caddy's address is in the subnet, and no other container can get it", () => {
  const caddy = parseAddress(CADDY.networks.inside.ipv4_address);
  const [{ subnet, ip_range: range }] = COMPOSE.networks.inside.ipam.config;
  const [subnetBlock, rangeBlock] = [parseCidr(subnet), parseCidr(range)];
  assert.ok(caddy && subnetBlock && rangeBlock);
  assert.deepEqual([isInAny(caddy, [subnetBlock]), isInAny(caddy, [rangeBlock])], [true, false]);
  assert.ok(isInAny(parseAddress(range.split('/')[0]) ?? caddy, [subnetBlock]));
});

test("the image's own health check calls the metrics port of a replica", () => {
  for (const { environment, healthcheck } of REPLICAS) {
    assert.equal(healthcheck, undefined);
    const settings = resolveSettings({ flags: {}, env: environment, workingFolder: FOLDER });
    const [request] = readyRequests(settings);
    assert.deepEqual([request?.protocol, request?.host, request?.port], ['http:', '127.0.0.1', 9464]);
  }
});

test('clients with IPv6 keep their addresses', () => {
  assert.equal(COMPOSE.networks.outside.enable_ipv6, true);
  assert.equal(parseCidr(COMPOSE.networks.outside.ipam.config[0].subnet)?.address.family, 6);
});

test('containers cannot gain privileges or write to their root', () => {
  for (const service of Object.values<Service>(COMPOSE.services)) {
    assert.equal(service.read_only, true);
    assert.deepEqual(service.cap_drop, ['ALL']);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    assert.ok(service.deploy.resources.limits.memory && service.deploy.resources.limits.pids);
  }
  for (const replica of REPLICAS) {
    assert.equal(replica.user, '65532:65532');
    assert.deepEqual(replica.networks, ['inside', 'data']);
    assert.ok(!('ports' in replica));
  }
  // the user valkey of the image, whose numbers differ on Debian
  assert.equal(REDIS.user, '999:1000');
  assert.equal(COMPOSE.networks.inside.internal, true);
});

function networksOf({ networks }: Service): readonly string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

interface Service {
  readonly networks: string[] | Record<string, object>;
  readonly volumes: string[];
  readonly depends_on?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly security_opt?: string[];
  readonly deploy: { readonly resources: { readonly limits: { readonly memory?: string; readonly pids?: number } } };
}

/** The schema names a draft that Ajv does not load by default, and uses nothing special of it. */
function without$schema({ $schema: _, ...schema }: Record<string, unknown>): object {
  return schema;
}
