/** `--svg` as a user gives it. Python's XML parser reads the maps. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hitMap } from '../../../src/cli/map/hit-map.ts';
import { loadWorldLines } from '../../../src/cli/map/world-lines.ts';
import { builtIndex } from '../../support/built-index.ts';
import { outsideProgram } from '../../support/outside-programs.ts';
import { runToponym } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aHit, aResponse } from './a-response.ts';

const python = outsideProgram('python3');
const MAX_BYTES = 200_000;

/** Prints the texts of the markers' titles, and of all elements in the legend, as JSON. */
const READ_SVG = `
import json, sys
import xml.etree.ElementTree as tree
svg = '{http://www.w3.org/2000/svg}'
root = tree.parse(sys.argv[1]).getroot()
titles = [g.findtext(svg + 'title') for g in root.iter(svg + 'g') if 'data-x' in g.attrib]
names = [t.text for t in root.iter(svg + 'text') if t.get('class') == 'name']
print(json.dumps({'root': root.tag, 'titles': titles[::-1], 'names': names}))
`;

function readSvg(file: string): { root: string; titles: string[]; names: string[] } {
  return JSON.parse(execFileSync(python.path, ['-c', READ_SVG, file], { encoding: 'utf8' }));
}

async function inNewFolder(context: TestContext) {
  const cwd = temporaryFolder(context);
  const index = await builtIndex();
  return { cwd, index, run: (...args: string[]) => runToponym([...args, '--index', index], { cwd }) };
}

test('query, explain and reverse draw their hits and still print them', { skip: python.skip }, async (context) => {
  const { cwd, run } = await inNewFolder(context);
  for (const args of [
    ['query', 'springfield'],
    ['explain', 'springfield'],
    ['reverse', '54.33,10.14'],
    ['query', 'suva', '--countries', 'fj'],
    ['query', 'xyzzyxyzzy'],
  ]) {
    const { stdout, stderr, code } = await run(...args, '--svg', 'map.svg', '--json');
    assert.equal(code, 0, stderr);
    const labels = (JSON.parse(stdout).hits as { label: string }[]).map(({ label }) => label);
    const { root, titles, names } = readSvg(join(cwd, 'map.svg'));
    assert.equal(root, '{http://www.w3.org/2000/svg}svg');
    assert.deepEqual(names, labels, args.join(' '));
    assert.deepEqual(
      titles,
      labels.map((label, i) => `${i + 1}. ${label}`),
    );
    assert.equal(stderr, `Wrote the map ${join(cwd, 'map.svg')}\n`);
    assert.ok(statSync(join(cwd, 'map.svg')).size < MAX_BYTES);
    assert.deepEqual(readdirSync(cwd), ['map.svg'], 'no temporary file is left');
  }
});

test('hostile names are text in a valid document', { skip: python.skip }, (context) => {
  const file = join(temporaryFolder(context), 'map.svg');
  const names = [
    '</text><script>alert(1)</script>',
    ']]>&amp;"\'',
    'a\u0000\u001b[31m\ud800\uffff',
    '\u202eevil',
    '<!--',
  ];
  const hits = names.map((name, i) => aHit(name, i * 10, i * 30, { label: name }));
  writeFileSync(file, hitMap(aResponse(hits, { query: '"><svg onload=x>' }), loadWorldLines()));
  assert.deepEqual(readSvg(file).names, [...names.slice(0, 2), 'a\ufffd\ufffd[31m\ufffd\ufffd', ...names.slice(3)]);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /<script|<svg onload/);
});

test('a file that cannot be written is refused before the search', async (context) => {
  const { cwd, index, run } = await inNewFolder(context);
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'file'), 'keep');
  for (const [file, reason] of [
    ['folder', 'cannot be written: it is a folder; name a file in it.'],
    ['missing/map.svg', 'cannot be written: .*no such file or directory.*'],
    ['file/map.svg', 'cannot be written: .*file is not a folder.'],
    ['/dev/null', 'cannot be written: it is not a regular file.'],
    [index, 'cannot be written: it is also an input .*; name another file.'],
  ] as const) {
    const { stdout, stderr, code } = await run('query', 'paris', '--svg', file);
    assert.deepEqual([stdout, code], ['', 2], stderr);
    assert.match(stderr, new RegExp(`^toponym: --svg .* ${reason}\n$`));
  }
  for (const file of ['', '-']) {
    const { stderr, code } = await run('reverse', '1,1', `--svg=${file}`);
    assert.deepEqual(
      [code, stderr],
      [2, `toponym: --svg: must be the name of a file such as map.svg, got "${file}".\n`],
    );
  }
  assert.equal(readFileSync(join(cwd, 'file'), 'utf8'), 'keep');
});

test('an existing map is replaced, and kept if the search is refused', async (context) => {
  const { cwd, run } = await inNewFolder(context);
  writeFileSync(join(cwd, 'map.svg'), 'old');
  assert.equal((await run('query', 'x', '--type', 'metropolis', '--svg', 'map.svg')).code, 2);
  assert.equal(readFileSync(join(cwd, 'map.svg'), 'utf8'), 'old');
  assert.equal((await run('query', 'paris', '--svg', 'map.svg')).code, 0);
  assert.match(readFileSync(join(cwd, 'map.svg'), 'utf8'), /^<svg /);
});

test('the land of the page is drawn: Fiji has islands on both sides of the antimeridian', () => {
  const world = loadWorldLines();
  assert.ok(world !== undefined && world.land.length > 1000 && world.borders.length > 100);
  const svg = hitMap(aResponse([aHit('Suva', -18.14, 178.43), aHit('Tubou', -18.24, -178.81)]), world);
  const [, path = ''] = /<path class="land" d="([^"]+)"/.exec(svg) ?? [];
  const starts = [...path.matchAll(/M([\d.]+)[ -]([\d.]+)/g)].map(([, x]) => Number(x));
  assert.ok(starts.some((x) => x < 400) && starts.some((x) => x > 600), `${starts}`);
});
