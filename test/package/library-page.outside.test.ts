/**
 * The examples of docs/library.md, run in a project that has installed the packed package. What an
 * example prints must be what the comments after its console.log calls say.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inChromium } from '../support/chromium.ts';
import { projectWithToponym } from './packed-package.ts';
import { documentedOutput, examples, writeExamples } from './page-examples.ts';
import { runCommand, TSC, tryCommand } from './run-command.ts';
import { bundled, printedInChromium } from './served-page.ts';
import { BUN, DENO, nodePath, skipsTools, TOOLS } from './tools.ts';

const PAGE = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
const STRICT = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };

test('docs/library.md', { skip: skipsTools }, async (t) => {
  await TOOLS.install();
  const project = await projectWithToponym(t);
  const buildIndex = examples(PAGE, 'sh').find((code) => code.includes('toponym build'));
  await runCommand(project, 'sh', ['-ec', buildIndex ?? '']);

  await t.test('its JavaScript examples print what they say, in Node.js 24 and 26, Deno and Bun', async () => {
    const { code, output } = writeExamples(project, examples(PAGE, 'js'));
    writeFileSync(join(project, 'examples.mjs'), code);
    for (const [command = '', ...args] of [[process.execPath], [nodePath(26)], [DENO, 'run', '--allow-all'], [BUN]]) {
      assert.equal(await runCommand(project, command, [...args, 'examples.mjs']), output, command);
    }
  });

  await t.test('its TypeScript example compiles with every check, without types of Node.js', async () => {
    const [code = ''] = examples(PAGE, 'ts');
    writeFileSync(join(project, 'typed.ts'), code);
    const compilerOptions = { ...STRICT, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    await runCommand(project, TSC, []);
    assert.equal(await runCommand(project, process.execPath, ['typed.js']), documentedOutput(code));
  });

  await t.test('the types of every export compile with every check, for Node.js and for bundlers', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const exported = Object.keys(manifest.exports).filter((name) => name !== './package.json');
    const all = [...exported.map((name) => `toponym${name.slice(1)}`), 'toponym-engine'];
    const library = ['toponym', 'toponym-engine'];
    assert.ok(all.length > 6);
    for (const [names, lib] of [
      [library, ['es2022']], // no types of browsers either
      [all, ['es2022', 'dom', 'dom.iterable']],
    ] as const) {
      const lines = names.map((name, i) => `export * as export${i} from '${name}';\n`);
      writeFileSync(join(project, 'exports.ts'), lines.join(''));
      for (const [module, moduleResolution] of Object.entries({ nodenext: 'nodenext', esnext: 'bundler' })) {
        const compilerOptions = { ...STRICT, module, moduleResolution, target: 'es2022', lib, types: [] };
        writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['exports.ts'] }));
        await runCommand(project, TSC, ['--noEmit']);
      }
    }
  });

  await t.test('on Node.js 20 the library says which Node.js it needs', async () => {
    writeFileSync(join(project, 'old.mjs'), "import { openToponym } from 'toponym';\nawait openToponym();\n");
    const { code, stderr } = await tryCommand(project, nodePath(20), ['old.mjs']);
    assert.equal(code, 1);
    assert.match(stderr, /Error: Toponym needs Node\.js 24 or newer, but this is v20\.20\.2\. Install it from/);
  });

  await t.test('its browser examples run in Chromium', inChromium, async (context) => {
    const files = { '/places.toponym': readFileSync(join(project, 'places.toponym')) };
    const { code, output } = writeExamples(project, examples(PAGE, 'js browser'));
    assert.equal(await printedInChromium(context, { script: await bundled(project, code), files }), output);
  });
});
