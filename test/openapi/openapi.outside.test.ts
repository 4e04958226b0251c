/**
 * The OpenAPI document that the service serves: Redocly's and Spectral's default rules over it, and
 * types and a client generated from it, compiled and run.
 */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { emptyProject } from '../package/packed-package.ts';
import { runCommand } from '../package/run-command.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { createKey, type RunningService, runService } from '../support/running-service.ts';
import { installOpenApiTools, MANIFESTS, TOOLS_MANIFEST, toolPath } from './tools.ts';

type Lint = (text: string) => Promise<string[]>;
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

const requireTool = createRequire(TOOLS_MANIFEST);
let service: RunningService;
let served = '';
let project = '';

before(async () => {
  await installOpenApiTools();
  service = await runService(fileHooks, { args: ['--threads', '1'] });
  served = (await service.call('/openapi.json', { method: 'GET' })).body;
  project = emptyProject(fileHooks);
  writeFileSync(join(project, 'openapi.json'), served);
});

/** What `redocly lint` reports without a configuration file. */
const lintWithRedocly: Lint = async (text) => {
  const { createConfig, lintFromString }: Loose = requireTool('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const problems: Loose[] = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
};

/** What `spectral lint` reports with the ruleset `spectral:oas`. */
const lintWithSpectral: Lint = async (text) => {
  const { Spectral }: Loose = requireTool('@stoplight/spectral-core');
  const { oas }: Loose = requireTool('@stoplight/spectral-rulesets');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  const problems: Loose[] = await spectral.run(text);
  return problems.map(({ code, message, path }) => `${code}: ${message} at ${path.join('.')}`);
};

/** Faults, and the rule of each linter that finds them. */
const FAULTS: readonly [what: string, plant: (document: Loose) => void, redocly: string, spectral: string][] = [
  [
    'an operation without a name',
    ({ paths }) => delete paths['/api/1/query'].post.operationId,
    'operation-operationId',
    'operation-operationId',
  ],
  [
    'an example that does not fit its schema',
    ({ paths }) => {
      const { examples } = paths['/api/1/id'].post.responses[200].content['application/json'];
      examples.embedded.value.population = 'many';
    },
    'no-invalid-media-type-examples',
    'oas3-valid-media-example',
  ],
  [
    'a component that nothing uses',
    ({ components }) => {
      components.schemas.Unused = { type: 'string' };
    },
    'no-unused-components',
    'oas3-unused-component',
  ],
  [
    'a reference to nothing',
    ({ components }) => delete components.schemas.PlaceType,
    'no-unresolved-refs',
    'invalid-ref',
  ],
];

for (const [name, lint, column] of [
  ['Redocly', lintWithRedocly, 2],
  ['Spectral', lintWithSpectral, 3],
] as const) {
  test(`${name} finds no error and no warning in the OpenAPI document, and opens no connection`, async () => {
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

  test(`${name} finds ${FAULTS.map(([what]) => what).join(', ')}`, async () => {
    // a linter checks no example in a document with a wrong reference
    for (const faults of [FAULTS.slice(0, -1), FAULTS.slice(-1)]) {
      const document = JSON.parse(served);
      for (const [, plant] of faults) plant(document);
      const rules = (await lint(JSON.stringify(document))).map((problem) => problem.split(':')[0]);
      for (const fault of faults) assert.ok(rules.includes(fault[column]), `not ${fault[0]}, only: ${rules}`);
    }
  });
}

test('no package of the tools has an install script, and all have a permissive licence', () => {
  const lock = JSON.parse(readFileSync(join(MANIFESTS, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<Loose>(lock.packages).filter(([path]) => path !== '');
  const permissive = /^\(?(MIT|Apache-2\.0|ISC|0BSD|BSD-[23]-Clause|PSF-2\.0|Python-2\.0)\b/;
  assert.ok(packages.length > 100);
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
  await runCommand(project, toolPath('tsc'), []);
});

test('a client generated by @hey-api/openapi-ts calls the service over HTTPS, with names that read well', async () => {
  writeProgram('program.ts', CLIENT_PROGRAM); // the generator reads tsconfig.json
  await generate('openapi-ts', ['-i', 'openapi.json', '-o', 'client', '--no-log-file']);
  const sdk = readFileSync(join(project, 'client', 'sdk.gen.ts'), 'utf8');
  const functions = [...sdk.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(functions, ['searchPlaces', 'getPlace', 'findPlacesAt', 'checkAlive', 'checkReady']);

  await runCommand(project, toolPath('tsc'), []);
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
  return runCommand(project, 'env', [`NODE_OPTIONS=${OFFLINE}`, toolPath(command), ...args]);
}
