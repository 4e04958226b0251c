import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { parseAddress, parseCidr } from '../../src/access/address.ts';
import { SERVE_SETTINGS, SETTINGS, variableFor } from '../../src/cli/settings/settings.ts';
import { VERSION } from '../../src/version.ts';

const FOLDER = fileURLToPath(new URL('../../deploy/compose', import.meta.url));
const COMPOSE = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'));
const CADDYFILE = readFileSync(join(FOLDER, 'Caddyfile'), 'utf8');
const REPLICAS = ['toponym-1', 'toponym-2'].map((name) => COMPOSE.services[name]);
// dclint, a linter of compose files, carries the schema of the Compose specification
const SCHEMA_FILE = join(
  dirname(fileURLToPath(import.meta.resolve('dclint/package.json'))),
  'schemas/compose.schema.json',
);
const isValid = new Ajv({ allErrors: true, strict: false, validateSchema: false, validateFormats: false }).compile(
  without$schema(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))),
);

test('the compose file follows the Compose specification', () => {
  assert.ok(isValid(COMPOSE), JSON.stringify(isValid.errors, null, 2));
});

test('the specification refuses an unknown key', () => {
  const wrong = structuredClone(COMPOSE);
  wrong.services.caddy.portz = [];
  assert.ok(!isValid(wrong));
});

test('networks, volumes, files and services that the compose file names exist', () => {
  for (const service of Object.values<Service>(COMPOSE.services)) {
    for (const network of service.networks) assert.ok(network in COMPOSE.networks, network);
    for (const name of Object.keys(service.depends_on ?? {})) assert.ok('healthcheck' in COMPOSE.services[name], name);
    for (const [source = ''] of service.volumes.map((volume) => volume.split(':'))) {
      assert.ok(source.startsWith('.') ? existsSync(join(FOLDER, source)) : source in COMPOSE.volumes, source);
    }
  }
  for (const { build } of REPLICAS) assert.ok(existsSync(join(FOLDER, build.context, 'package.json')));
  for (const [, name = ''] of CADDYFILE.matchAll(/(toponym-\d):8080/g)) assert.ok(name in COMPOSE.services, name);
});

test('the replicas get valid settings, and trust the subnet of their network', () => {
  const { subnet } = COMPOSE.networks.inside.ipam.config[0];
  const settings = new Map(SERVE_SETTINGS.map((key) => [variableFor(key), SETTINGS[key]]));
  for (const { environment, stop_grace_period, image } of REPLICAS) {
    for (const [variable, value] of Object.entries<string>(environment)) {
      const setting = settings.get(variable);
      assert.ok(setting !== undefined, `${variable} is no setting`);
      setting.parse(value);
    }
    assert.equal(environment.TOPONYM_TRUSTED_PROXIES, subnet);
    const drainSeconds = Number(environment.TOPONYM_DRAIN_GRACE_SECONDS) + Number(environment.TOPONYM_DRAIN_SECONDS);
    assert.ok(Number.parseInt(stop_grace_period, 10) > drainSeconds);
    assert.equal(image, `ghcr.io/example/toponym:${VERSION}`);
  }
  assert.ok(parseCidr(subnet) !== undefined && parseAddress(subnet.split('/')[0]) !== undefined);
});

test('containers cannot gain privileges or write to their root', () => {
  for (const service of Object.values<Service>(COMPOSE.services)) {
    assert.equal(service.read_only, true);
    assert.deepEqual(service.cap_drop, ['ALL']);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    assert.ok(service.deploy.resources.limits.memory);
  }
  for (const replica of REPLICAS) {
    assert.equal(replica.user, '65532:65532');
    assert.deepEqual(replica.networks, ['inside']);
    assert.ok(!('ports' in replica));
  }
  assert.equal(COMPOSE.networks.inside.internal, true);
});

interface Service {
  readonly networks: string[];
  readonly volumes: string[];
  readonly depends_on?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly security_opt?: string[];
  readonly deploy: { readonly resources: { readonly limits: { readonly memory?: string } } };
}

/** The schema names a draft that Ajv does not load by default, and uses nothing special of it. */
function without$schema({ $schema: _, ...schema }: Record<string, unknown>): object {
  return schema;
}
