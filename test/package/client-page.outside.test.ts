/**
 * The examples of docs/client.md, run against a real service in a project that has installed only the
 * packed client. They print what the comments after their console.log calls say. The widgets are
 * bundled with the real packages. The service has TLS and another origin than the pages.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { inChromium } from '../support/chromium.ts';
import { createKey, runService } from '../support/running-service.ts';
import { projectWithClient, projectWithToponym } from './packed-package.ts';
import { examples, writeExamples } from './page-examples.ts';
import { runCommand, TSC } from './run-command.ts';
import { bundled, openPage, printedInChromium } from './served-page.ts';
import { BUN, DENO, nodePath, skipsTools, TOOLS } from './tools.ts';

const PAGE = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
const STRICT = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
/** The style is that of Autocomplete's theme: it opens a dialog only on narrow screens. */
const HTML = `<!doctype html><meta charset="utf-8">
<style>:root { --aa-detached-media-query: (max-width: 680px) }</style><div id="search"></div><div id="hits"></div>
<div id="map" style="width: 600px; height: 400px"></div><script type="module" src="/script.js"></script>`;
const TYPED = `
import { autocomplete } from '@algolia/autocomplete-js';
import MaplibreGeocoder from '@maplibre/maplibre-gl-geocoder';
import instantsearch from 'instantsearch.js';
import * as maplibregl from 'maplibre-gl';
import { createClient } from 'toponym-client';
import { type AutocompleteItem, createAutocompleteSource } from 'toponym-client/autocomplete';
import { createSearchClient } from 'toponym-client/instantsearch';
import { createGeocoderApi } from 'toponym-client/maplibre-geocoder';

const client = createClient({ url: '', key: '' });
const source = createAutocompleteSource(client);
autocomplete<AutocompleteItem>({ container: '#search', getSources: () => [source] });
instantsearch({ indexName: 'places', searchClient: createSearchClient(client) });
new MaplibreGeocoder(createGeocoderApi(client), { maplibregl });
`;
/** Every module of the package, and what a widget gets from one. */
const MODULES = `
import { createClient } from 'toponym-client';
import { createAutocompleteSource } from 'toponym-client/autocomplete';
import { createSearchClient } from 'toponym-client/instantsearch';
import { createGeocoderApi } from 'toponym-client/maplibre-geocoder';
import { ToponymSearch } from 'toponym-client/search-element';
import { createStaticClient } from 'toponym-client/static';

const client = createClient({ url: 'https://places.example.com', key: 'tpk_…' });
const [item] = await createAutocompleteSource(client).getItems({ query: 'paris' });
const { results } = await createSearchClient(client).search([{ indexName: 'places', params: { query: 'paris' } }]);
const { features } = await createGeocoderApi(client).forwardGeocode({ query: 'paris' });
const types = [typeof ToponymSearch, typeof createStaticClient];
console.log([item.label, results[0].hits[0].label, features[0].place_name, ...types].join('; '));
`;
const MODULES_PRINT = 'Paris, France; Paris, France; Paris, France; function; function\n';
const { packages } = TOOLS;
const MAPLIBRE = join(packages, 'maplibre-gl', 'dist');
const WORKER_FILES = ['maplibre-gl-worker.mjs', 'maplibre-gl-shared.mjs'];
/** As people type. */
const TYPING = { delay: 60 };

test('docs/client.md', { skip: skipsTools }, async (t) => {
  await TOOLS.install();
  const project = await projectWithClient(t);
  const service = await runService(t, { args: ['--threads', '1'] });
  const { key } = await createKey(service);
  const withService = (code: string) =>
    code.replace('https://places.example.com', service.ready.url).replace('tpk_…', key);
  const codes = examples(PAGE, 'js').map(withService);
  assert.ok(codes.length >= 3);
  const { code, output } = writeExamples(project, codes);
  writeFileSync(join(project, 'examples.mjs'), code);
  writeFileSync(join(project, 'modules.mjs'), withService(MODULES));

  const certificate = join(service.state, 'tls', 'cert.pem');
  const runtimes = {
    'Node.js 24': [process.execPath],
    'Node.js 26': [nodePath(26)],
    'Node.js 18.0': [nodePath(18)],
    Deno: [DENO, 'run', '--allow-net', `--cert=${certificate}`],
    Bun: [BUN],
  };
  for (const [runtime, command] of Object.entries(runtimes)) {
    const run = (file: string) => runCommand(project, 'env', [`NODE_EXTRA_CA_CERTS=${certificate}`, ...command, file]);
    await t.test(`its examples print what they say in ${runtime}`, async () => {
      assert.equal(await run('examples.mjs'), output);
    });
    await t.test(`every module of the package works in ${runtime}`, async () => {
      assert.equal(await run('modules.mjs'), MODULES_PRINT);
    });
  }

  await t.test('the package toponym has the same modules', async (context) => {
    const project = await projectWithToponym(context);
    const code = withService(MODULES).replaceAll("'toponym-client", "'toponym/client");
    writeFileSync(join(project, 'modules.mjs'), code);
    const args = [`NODE_EXTRA_CA_CERTS=${certificate}`, process.execPath, 'modules.mjs'];
    assert.equal(await runCommand(project, 'env', args), MODULES_PRINT);
  });

  await t.test('its examples print what they say in Chromium', inChromium, async (context) => {
    const script = await bundled(project, code);
    const lines = output.split('\n').length - 1;
    assert.equal(await printedInChromium(context, { script, lines }), output);
  });

  await t.test('its examples compile with every check, without types of Node.js', async () => {
    for (const [i, example] of codes.entries()) writeFileSync(join(project, `typed-${i}.ts`), example);
    const files = codes.map((_, i) => `typed-${i}.ts`);
    for (const version of ['es2020', 'es2022']) {
      const compilerOptions = { ...STRICT, module: 'nodenext', target: 'es2022', lib: [version, 'dom'], types: [] };
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      await runCommand(project, TSC, ['--noEmit']);
    }
  });

  /** Opens the example that contains this text in a page, and counts the texts that it asks for. */
  async function openExample(context: TestContext, part: string) {
    const example = examples(PAGE, 'js widget').find((code) => code.includes(part)) ?? '';
    // the map, so that the test can ask where it is
    const code = withService(example).replace('const map =', 'const map = window.map =');
    const script = await bundled(project, code, { nodePaths: [packages] });
    const files = Object.fromEntries(WORKER_FILES.map((name) => [`/${name}`, readFileSync(join(MAPLIBRE, name))]));
    const { page, url } = await openPage(context, { '/': HTML, '/script.js': script, ...files });
    const asked: string[] = [];
    const foreign: string[] = [];
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') foreign.push(request.url());
      if (request.method() === 'POST') asked.push(new URLSearchParams(request.postData() ?? '').get('query') ?? '');
    });
    await page.goto(url);
    return { page, asked, foreign, problems };
  }

  await t.test(
    'Autocomplete lists the places that the user types, and fills in the chosen one',
    inChromium,
    async (context) => {
      const { page, asked, foreign, problems } = await openExample(context, 'createAutocompleteSource');
      const lastAnswer = page.waitForResponse((response) =>
        /=sprngfield.il(?:&|$)/.test(response.request().postData() ?? ''),
      );
      await page.locator('#search input').pressSequentially('sprngfield il', TYPING);
      await lastAnswer;
      // before the choice: the widget asks for the text of the chosen place too, soon after
      assertPrefixes(asked, 'sprngfield il');
      const items = page.locator('.aa-Item');
      await items.filter({ hasText: 'Springfield, Illinois, United States' }).first().click();
      // the widget fills its box in a later turn
      await page.waitForFunction(
        `document.querySelector('#search input').value === 'Springfield, Illinois, United States'`,
      );
      assert.deepEqual([foreign, problems], [[], []]);
    },
  );

  await t.test('InstantSearch shows the hits with highlighted names', inChromium, async (context) => {
    const { page, asked, foreign, problems } = await openExample(context, 'createSearchClient');
    await page.locator('#search input').pressSequentially("l'aq", TYPING);
    await page.locator('#hits', { hasText: "L'Aquila, Italy" }).waitFor();
    const html = await page.locator('#hits li b').first().innerHTML();
    assert.match(html, /<mark[^>]*>L'Aq<\/mark><span[^>]*>uila</);
    assertPrefixes(asked, "l'aq");
    assert.deepEqual([foreign, problems], [[], []]);
  });

  await t.test(
    'maplibre-gl-geocoder lists the places, and moves the map to the chosen one',
    inChromium,
    async (context) => {
      const { page, foreign, problems } = await openExample(context, 'createGeocoderApi');
      await page.locator('.maplibregl-ctrl-geocoder--input').pressSequentially('reykjav', TYPING);
      await page.locator('.suggestions li', { hasText: 'Reykjavík' }).first().click();
      await page.waitForFunction('Math.abs(map.getCenter().lat - 64.13) < 0.2 && !map.isMoving()');
      assert.deepEqual([foreign, problems], [[], []]);
    },
  );

  await t.test('the types fit those of the widgets', async () => {
    writeFileSync(join(project, 'typed.ts'), TYPED);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', types: [] },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], paths: { '*': [`${packages}/*`] } },
      skipLibCheck: true, // the types of the widgets have errors of their own
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    await runCommand(project, TSC, []);
  });
});

/** A busy machine may ask for every letter. Whether fewer are asked is tested with a clock of its own. */
function assertPrefixes(asked: readonly string[], text: string): void {
  assert.ok(asked.every((each) => text.startsWith(each)) && asked.at(-1) === text, asked.join(', '));
}
