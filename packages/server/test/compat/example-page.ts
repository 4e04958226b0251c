/** Code with clients of other services, opened in Chromium. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { examples } from '../../../../test/package/page-examples.ts';
import { bundled, openPage } from '../../../../test/package/served-page.ts';
import { toolsOf } from '../../../../test/support/installed-tools.ts';
import { createKey, runService } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const TOOLS = toolsOf('compat');
const HTML = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/script.css">
<div id="map" style="width: 600px; height: 400px"></div><script type="module" src="/script.js"></script>`;
/** Files that a bundle of MapLibre loads. */
const WORKERS = ['maplibre-gl-worker.mjs', 'maplibre-gl-shared.mjs'];

/** The example of a kind in a file of docs/. */
export function exampleOf(file: string, kind: string): string {
  const docs = readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8');
  const [example] = examples(docs, `js ${kind}`);
  assert.ok(example, kind);
  return example;
}

/** Opens the code in a page whose `window` has the given variables of the code. */
export async function openExample(context: TestContext, example: string, variables: string) {
  await TOOLS.install();
  const service = await runService(context, { args: ['--threads', '1', '--compat', 'nominatim,photon'] });
  const { key } = await createKey(service);
  const code = `${example}\nObject.assign(window, { ${variables} });`;
  const called = code.replace('https://places.example.com', service.ready.url.replace(/\/$/, '')).replace('tpk_…', key);
  const script = await bundled(temporaryFolder(context), called, { nodePaths: [TOOLS.packages] });
  const folder = join(TOOLS.packages, 'maplibre-gl', 'dist');
  const files = Object.fromEntries(WORKERS.map((name) => [`/${name}`, readFileSync(join(folder, name))]));
  const { page, url } = await openPage(context, { '/': HTML, '/script.js': script, ...files });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(request.url());
  });
  await page.goto(url);
  return { page, problems };
}
