/** The published package `toponym-engine`, alone in a project: what is in it, and the example of its README in every runtime. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { servePlainHttp } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { anIndex, aPlace } from '../support/an-engine.ts';
import { inChromium } from '../support/chromium.ts';
import { packEngine, projectWithEngine } from './packed-package.ts';
import { documentedOutput, examples } from './page-examples.ts';
import { runCommand, TSC } from './run-command.ts';
import { printedInChromium } from './served-page.ts';
import { BUN, DENO, nodePath, skipsTools, TOOLS } from './tools.ts';

const README = readFileSync(new URL('../../packages/engine/published/README.md', import.meta.url), 'utf8');
const [EXAMPLE = ''] = examples(README, 'js');
const OUTPUT = documentedOutput(EXAMPLE);
const INDEX = Buffer.from(
  await anIndex([
    aPlace({ id: 'G1', name: 'Springfield', country: 'US', admin1: 'US.IL' }),
    aPlace({ id: 'G2', name: 'Springfield', country: 'US', admin1: 'US.TX', population: 1_000_000 }),
  ]),
);
/** A module of a page or a Worker, which take the file of the package as it is. */
const MODULE = EXAMPLE.replace('https://places.example.com', '').replace("'toponym-engine'", "'/toponym-engine.js'");

test('toponym-engine', { skip: skipsTools }, async (t) => {
  await TOOLS.install();
  const project = await projectWithEngine(t);
  const folder = join(project, 'node_modules', 'toponym-engine');

  await t.test('npm installs it and nothing else', () => {
    const names = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(names, ['toponym-engine']);
    assert.deepEqual(readdirSync(folder).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
    const licences = readFileSync(join(folder, 'dist', 'licences.txt'), 'utf8');
    assert.match(licences, /^opencc-js\n.*Apache License\n +Version 2\.0.*END OF TERMS AND CONDITIONS/s);
  });

  await t.test('publint finds no fault', async () => {
    const publint = await runCommand('.', TOOLS.path('publint'), ['run', '--strict', await packEngine()]);
    assert.match(publint, /All good!/);
  });

  const { origin } = await servePlainHttp(t, (_request, response) => response.end(INDEX));
  const code = EXAMPLE.replace('https://places.example.com', origin);
  const runtimes = {
    'Node.js 24': [process.execPath],
    'Node.js 26': [nodePath(26)],
    Deno: [DENO, 'run', '--allow-net'],
    Bun: [BUN],
  };
  writeFileSync(join(project, 'example.mjs'), code);
  for (const [runtime, [command = '', ...args]] of Object.entries(runtimes)) {
    await t.test(`its example prints what it says in ${runtime}`, async () => {
      assert.equal(await runCommand(project, command, [...args, 'example.mjs']), OUTPUT);
    });
  }

  const worker = MODULE.replace('console.log(', 'postMessage(');
  const page = `const worker = new Worker('/worker.js', { type: 'module' });
    worker.onerror = ({ message }) => console.log(message);
    console.log(await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); }));`;
  for (const [where, script] of Object.entries({ 'a page': MODULE, 'a Web Worker': page })) {
    await t.test(`its example prints what it says in ${where} of Chromium`, inChromium, async (context) => {
      const engine = readFileSync(join(folder, 'dist', 'toponym-engine.js'));
      const files = { '/places.toponym': INDEX, '/toponym-engine.js': engine, '/worker.js': Buffer.from(worker) };
      assert.equal(await printedInChromium(context, { script, files }), OUTPUT);
    });
  }

  await t.test('its example compiles with every check, without types of Node.js', async () => {
    writeFileSync(join(project, 'example.ts'), code.replace('hit.label', 'hit?.label'));
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [], noEmit: true },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }));
    await runCommand(project, TSC, []);
  });
});
