/**
 * The examples of docs/client.md, run against a real service in a project that has installed the
 * packed package. They print what the comments after their console.log calls say.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { outsideProgram } from '../support/outside-programs.ts';
import { createKey, runService } from '../support/running-service.ts';
import { printedInChromium } from './chromium.ts';
import { emptyProject, packToponym } from './packed-package.ts';
import { documentedOutput, examples } from './page-examples.ts';
import { runCommand } from './run-command.ts';
import { BUN, DENO, installTools, nodePath, skipsTools, toolPath } from './tools.ts';

const PAGE = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
const STRICT = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
const chromium = outsideProgram('chromium');

test('docs/client.md', { skip: skipsTools }, async (t) => {
  await installTools();
  const project = emptyProject(t);
  const tarball = await packToponym('client-page');
  await runCommand(project, 'npm', ['install', '--no-audit', '--no-fund', '--omit=optional', tarball]);
  const service = await runService(t, { args: ['--threads', '1'] });
  const { key } = await createKey(service);
  const code = examples(PAGE, 'js').map((example) =>
    example.replace('https://places.example.com', service.ready.url).replace('tpk_…', key),
  );
  assert.ok(code.length >= 3);
  for (const [i, example] of code.entries()) writeFileSync(join(project, `example-${i}.mjs`), example);

  const certificate = join(service.state, 'tls', 'cert.pem');
  const runtimes = {
    'Node.js 24': [process.execPath],
    'Node.js 26': [nodePath(26)],
    'Node.js 20': [nodePath(20)],
    Deno: [DENO, 'run', '--allow-net', `--cert=${certificate}`],
    Bun: [BUN],
  };
  for (const [runtime, command] of Object.entries(runtimes)) {
    await t.test(`its examples print what they say in ${runtime}`, async () => {
      for (const [i, example] of code.entries()) {
        const args = [`NODE_EXTRA_CA_CERTS=${certificate}`, ...command, `example-${i}.mjs`];
        assert.equal(await runCommand(project, 'env', args), documentedOutput(example), example);
      }
    });
  }

  await t.test('its examples print what they say in Chromium', { skip: chromium.skip }, async (context) => {
    for (const [i, example] of code.entries()) {
      const bundle = [`example-${i}.mjs`, '--bundle', '--platform=browser', '--format=esm', '--log-level=error'];
      const script = await runCommand(project, toolPath('esbuild'), bundle);
      const expected = documentedOutput(example);
      const lines = expected.split('\n').length - 1;
      const printed = await printedInChromium(context, { program: chromium.path, script, files: {}, lines });
      assert.equal(printed, expected);
    }
  });

  await t.test('its examples compile with every check, without types of Node.js', async () => {
    for (const [i, example] of code.entries()) writeFileSync(join(project, `typed-${i}.ts`), example);
    const files = code.map((_, i) => `typed-${i}.ts`);
    const compilerOptions = { ...STRICT, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    await runCommand(project, toolPath('tsc'), ['--noEmit']);
  });
});
