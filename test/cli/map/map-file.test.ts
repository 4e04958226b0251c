/** `--svg` as a user gives it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadWorldShapes } from '../../../src/cli/map/base-map.ts';
import { hitMap } from '../../../src/cli/map/hit-map.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { worldIndex } from '../../support/world-index.ts';
import { aHit, aResponse } from './a-response.ts';

const MAX_BYTES = 200_000;

async function inNewFolder(context: TestContext) {
  const cwd = temporaryFolder(context);
  const index = await worldIndex();
  return { cwd, index, run: (...args: string[]) => runCommand([...args, '--index', index], { cwd }) };
}

function textsIn(svg: string, pattern: RegExp): string[] {
  return Array.from(svg.matchAll(pattern), ([, text = '']) => text);
}

test('query, explain and reverse draw their hits and still print them', async (context) => {
  const { cwd, run } = await inNewFolder(context);
  for (const args of [
    ['query', 'springfield'],
    ['explain', 'kiel'],
    ['reverse', '54.33,10.14', '--hits-per-page', '3'],
  ]) {
    const { stdout, stderr, code } = await run(...args, '--svg', 'map.svg', '--json');
    assert.equal(code, 0, stderr);
    const labels = (JSON.parse(stdout).hits as { label: string }[]).map(({ label }) => label);
    const svg = readFileSync(join(cwd, 'map.svg'), 'utf8');
    assert.deepEqual(textsIn(svg, /<text [^>]*class="name"[^>]*>([^<]*)</g), labels, args.join(' '));
    assert.deepEqual(
      textsIn(svg, /<title>(\d+\. [^<]*)</g).reverse(),
      labels.map((label, i) => `${i + 1}. ${label}`),
    );
    assert.equal(stderr, `Wrote the map ${join(cwd, 'map.svg')}\n`);
    assert.ok(statSync(join(cwd, 'map.svg')).size < MAX_BYTES);
    assert.deepEqual(readdirSync(cwd), ['map.svg'], 'no temporary file is left');
  }
});

test('an existing map is replaced, and kept if the search is refused', async (context) => {
  const { cwd, run } = await inNewFolder(context);
  writeFileSync(join(cwd, 'map.svg'), 'old');
  assert.equal((await run('query', 'x', '--type', 'metropolis', '--svg', 'map.svg')).code, 2);
  assert.equal(readFileSync(join(cwd, 'map.svg'), 'utf8'), 'old');
  assert.equal((await run('query', 'kiel', '--svg', 'map.svg')).code, 0);
  assert.match(readFileSync(join(cwd, 'map.svg'), 'utf8'), /^<svg /);
});

test('the land of the page is drawn: Fiji has islands on both sides of the antimeridian', () => {
  const world = loadWorldShapes();
  const svg = hitMap(aResponse([aHit('Suva', -18.14, 178.43), aHit('Tubou', -18.24, -178.81)]), world);
  const [, path = ''] = /<path class="land" d="([^"]+)"/.exec(svg) ?? [];
  const starts = [...path.matchAll(/M([\d.]+)[ -]([\d.]+)/g)].map(([, x]) => Number(x));
  assert.ok(starts.some((x) => x < 400) && starts.some((x) => x > 600), `${starts}`);
});
