/**
 * The OpenAPI document that the service serves: Redocly's default rules over it, and types and a client
 * generated from it, compiled and run.
 */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { emptyProject } from '../../../../test/package/packed-package.ts';
import { runCommand } from '../../../../test/package/run-command.ts';
import { fileHooks } from '../../../../test/support/file-hooks.ts';
import { toolsOf } from '../../../../test/support/installed-tools.ts';
import { createKey, type RunningService, runService } from '../../../../test/support/running-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document to break, and tools that are installed only when these tests run
type Loose = any;

/** Makes Node.js refuse connections, so that a generator that calls home fails. */
const OFFLINE = `--import=data:text/javascript,${encodeURIComponent(
  "import net from 'node:net'; net.Socket.prototype.connect = () => { throw new Error('a connection'); };",
)}`;
const COMPILER_OPTIONS = {
  ...{ strict: true, noUncheckedIndexedAccess: true, types: [] },
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'nodenext', outDir: 'compiled' },
};

const TYPES_PROGRAM = `
import type { components, operations } from './schema.js';

type Options = operations['searchPlaces']['requestBody'] extends { content: infer C } | undefined ? C : never;
type Found = operations['searchPlaces']['responses'][200]['content']['application/json'];
type Place = operations['getPlace']['responses'][200]['content']['application/json'];
type Failure = operations['findPlacesAt']['responses'][429]['content']['application/json'];

export const parameters: NonNullable<operations['searchPlaces']['parameters']['query']> = { query: 'par', hitsPerPage: 3 };
export const options: components['schemas']['SearchPlacesOptions'] = { query: 'par', aroundLatLngViaIP: true };
export const labels = ({ hits }: Found): string[] => hits.map(({ label }) => label);
export const scores = ({ hits }: Found): (number | undefined)[] => hits.map((hit) => hit._rankingInfo?.criteria.score);
export const kind = ({ type }: Place): components['schemas']['PlaceType'] => type;
export const names = ({ names }: Place): string[] | undefined => names.fr;
export const isLimit = ({ code }: Failure): boolean => code === 'rate_limited' || code === 'quota_exceeded';
// @ts-expect-error: there is no such code
export const isTypo = ({ code }: Failure): boolean => code === 'rate_limit';
// @ts-expect-error: there is no such option
export const wrong: Options['application/json'] = { query: 'par', page: 2 };
`;

const CLIENT_PROGRAM = `
import { client } from './client/client.gen.js';
import { findPlacesAt, type Hit, getPlace, type PlaceType, searchPlaces, type SearchPlacesOptions } from './client/index.js';

declare const process: { readonly env: Readonly<Record<'SERVICE_URL' | 'SERVICE_KEY', string>> };
client.setConfig({ baseUrl: process.env.SERVICE_URL, auth: process.env.SERVICE_KEY });

const body: SearchPlacesOptions = { query: 'sprngfield il', hitsPerPage: 1, getRankingInfo: true };
const found = await searchPlaces({ body });
const [first]: Hit[] = found.data?.hits ?? [];
const inUrl = await searchPlaces({ query: { query: 'münchen', countries: 'de', hitsPerPage: 1 } });
const place = await getPlace({ body: { objectID: 'G2988507', language: 'ru' } });
const type: PlaceType | undefined = place.data?.type;
const around = await findPlacesAt({ query: { aroundLatLng: '54.36,10.11', mode: 'containing', hitsPerPage: 1 } });
const wrong = await searchPlaces({ body: { hitsPerPage: 0 } });
const missing = await getPlace({ body: { objectID: 'G1' } });
const refused = await searchPlaces({ auth: 'tpk_wrong', body });
// @ts-expect-error: there is no such option
await searchPlaces({ body: { page: 2 } });

console.log(JSON.stringify([
  [found.response?.status, first?.label, first?._rankingInfo?.nbTypos, first?._geoloc.lat],
  [inUrl.response?.status, inUrl.data?.hits[0]?.label],
  [place.response?.status, place.data?.name, type, place.data?.names.ru?.includes('Париж')],
  [around.response?.status, around.data?.hits[0]?.label, around.data?.pointCountry],
  [wrong.response?.status, wrong.error?.code, wrong.error?.message],
  [missing.response?.status, missing.error?.code],
  [refused.response?.status, refused.error?.code],
]));
`;

/** Linters, and generators of types and clients. */
const TOOLS = toolsOf('openapi');
const requireTool = createRequire(TOOLS.manifest);
let service: RunningService;
let served = '';
let project = '';

before(async () => {
  await TOOLS.install();
  service = await runService(fileHooks, { args: ['--threads', '1'] });
  served = (await service.call('/openapi.json', { method: 'GET' })).body;
  project = emptyProject(fileHooks);
  writeFileSync(join(project, 'openapi.json'), served);
});

/** What `redocly lint` reports without a configuration file. */
async function lint(text: string): Promise<string[]> {
  const { createConfig, lintFromString }: Loose = requireTool('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const problems: Loose[] = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
}

test('Redocly finds no error and no warning in the OpenAPI document, and opens no connection', async () => {
  const connections: unknown[] = [];
  const note = (message: unknown) => connections.push(message);
  subscribe('net.client.socket', note);
  try {
    assert.deepEqual(await lint(served), []);
  } finally {
    unsubscribe('net.client.socket', note);
  }
  assert.equal(connections.length, 0);
});

test('Redocly finds an operation without a name, an example that does not fit and an unused component', async () => {
  const { paths, components, ...rest } = JSON.parse(served);
  delete paths['/api/1/query'].post.operationId;
  paths['/api/1/id'].post.responses[200].content['application/json'].examples.embedded.value.population = 'many';
  components.schemas.Unused = { type: 'string' };
  const rules = (await lint(JSON.stringify({ paths, components, ...rest }))).map((problem) => problem.split(':')[0]);
  for (const rule of ['operation-operationId', 'no-invalid-media-type-examples', 'no-unused-components']) {
    assert.ok(rules.includes(rule), `not ${rule}, only: ${rules}`);
  }
});

test('no package of the tools has an install script, and all have a permissive licence', () => {
  const lock = JSON.parse(readFileSync(join(TOOLS.manifests, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<Loose>(lock.packages).filter(([path]) => path !== '');
  const permissive = /^\(?(MIT|Apache-2\.0|ISC|0BSD|BSD-[23]-Clause|PSF-2\.0|Python-2\.0)\b/;
  assert.ok(packages.length > 50);
  assert.deepEqual(
    packages.filter(([, { hasInstallScript, resolved }]) => hasInstallScript || resolved),
    [],
  );
  assert.deepEqual(
    packages.filter(([, { license }]) => !permissive.test(license)),
    [],
  );
});

function writeProgram(name: string, text: string): void {
  writeFileSync(join(project, name), text);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [name] }));
}

test('openapi-typescript generates types that a program uses and the compiler accepts', async () => {
  await generate('openapi-typescript', ['openapi.json', '--output', 'schema.d.ts']);
  writeProgram('types.ts', TYPES_PROGRAM);
  await runCommand(project, TOOLS.path('tsc'), []);
});

test('a client generated by @hey-api/openapi-ts calls the service over HTTPS, with names that read well', async () => {
  writeProgram('program.ts', CLIENT_PROGRAM); // the generator reads tsconfig.json
  await generate('openapi-ts', ['-i', 'openapi.json', '-o', 'client', '--no-log-file']);
  const sdk = readFileSync(join(project, 'client', 'sdk.gen.ts'), 'utf8');
  const functions = [...sdk.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(functions, ['searchPlaces', 'getPlace', 'findPlacesAt', 'callInBatch', 'checkAlive', 'checkReady']);

  await runCommand(project, TOOLS.path('tsc'), []);
  const { key } = await createKey(service);
  const printed = await runCommand(project, 'env', [
    ...[`NODE_EXTRA_CA_CERTS=${join(service.state, 'tls', 'cert.pem')}`, `SERVICE_URL=${service.ready.url}`],
    ...[`SERVICE_KEY=${key}`, process.execPath, 'compiled/program.js'],
  ]);
  assert.deepEqual(JSON.parse(printed), [
    [200, 'Springfield, Illinois, United States', 1, 39.80172],
    [200, 'Munich, Germany'],
    [200, 'Париж', 'city', true],
    [200, 'Kiel, Germany', 'de'],
    [400, 'invalid_option', 'hitsPerPage: must be an integer of at least 1, got "0"'],
    [404, 'object_not_found'],
    [401, 'key_unknown'],
  ]);
});

/** Runs a generator in the project, without a network. */
function generate(command: string, args: readonly string[]): Promise<string> {
  return runCommand(project, 'env', [`NODE_OPTIONS=${OFFLINE}`, TOOLS.path(command), ...args]);
}
