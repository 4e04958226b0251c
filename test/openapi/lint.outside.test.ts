/** Redocly's and Spectral's default rules over the document that the service serves. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runService } from '../support/running-service.ts';
import { installOpenApiTools, MANIFESTS, TOOLS_MANIFEST } from './tools.ts';

type Lint = (text: string) => Promise<string[]>;
// biome-ignore lint/suspicious/noExplicitAny: a document to break, and tools that are installed only when these tests run
type Loose = any;

const requireTool = createRequire(TOOLS_MANIFEST);
const cleanUps: (() => unknown)[] = [];
let served = '';

before(async () => {
  await installOpenApiTools();
  const service = await runService({ after: (cleanUp?: unknown) => cleanUps.push(cleanUp as () => void) });
  served = (await service.call('/openapi.json', { method: 'GET' })).body;
  for (const cleanUp of cleanUps) cleanUp();
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
    'a reference to nothing',
    ({ components }) => delete components.schemas.PlaceType,
    'no-unresolved-refs',
    'invalid-ref',
  ],
  [
    'a component that nothing uses',
    ({ components }) => {
      components.schemas.Unused = { type: 'string' };
    },
    'no-unused-components',
    'oas3-unused-component',
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

  for (const fault of FAULTS) {
    test(`${name} finds ${fault[0]}`, async () => {
      const document = JSON.parse(served);
      fault[1](document);
      const rules = (await lint(JSON.stringify(document))).map((problem) => problem.split(':')[0]);
      assert.ok(rules.includes(fault[column]), `found only: ${rules}`);
    });
  }
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
