/** Executes the commands of the documentation. Pages with tests of their own are listed below. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { debianProgram } from '../support/debian-package.ts';
import { freePort } from '../support/free-port.ts';
import { projectClone } from './project-clone.ts';
import { runPage, withService } from './run-page.ts';
import { isShownOutput, type ShellBlock, shellBlocks } from './shell-blocks.ts';
import { serveGeonames, writeSourceFiles } from './source-files.ts';

const ROOT = new URL('../../', import.meta.url);

/** Pages whose commands other tests execute. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/install.md': 'the table at its end names the tests',
  'docs/library.md': 'test/package/library-page.slow.test.ts',
  'docs/client.md': 'test/package/client-page.slow.test.ts',
};

/** Scripts that take minutes, one of which runs this test. */
const LONG_SCRIPT = /^npm (?:test\b|run (\S+))/;

const skips = [(await debianProgram('curl')).skip, (await debianProgram('jq')).skip].find(Boolean) ?? false;

for (const page of pages()) {
  const blocks = shellBlocks(readFileSync(new URL(page, ROOT), 'utf8'));
  if (blocks.length === 0 || page in TESTED_ELSEWHERE) continue;

  test(`every command of ${page} works and prints what the page shows`, { skip: skips }, async (context) => {
    const folder = projectClone(context);
    writeSourceFiles(folder);
    const executed = withService(blocks.map(withoutLongScripts));
    const { code, errors, outputs } = await runPage(executed, {
      folder,
      port: await freePort(),
      env: { TOPONYM_SOURCE_URL: await serveGeonames(context) },
    });
    assert.equal(code, 0, `${page}: ${errors}`);
    for (const [i, { line, output }] of executed.entries()) {
      if (output === undefined) continue;
      assert.ok(isShownOutput(outputs[i] ?? '', output), `${page}:${line} prints\n${outputs[i]}instead of\n${output}`);
    }
  });
}

test('every npm script that the documentation names exists', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  for (const page of pages()) {
    const text = readFileSync(new URL(page, ROOT), 'utf8');
    for (const [command, name = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g)) {
      assert.ok(name in scripts, `${page}: ${command}`);
    }
  }
});

function pages(): string[] {
  const markdownIn = (folder: string) =>
    readdirSync(new URL(folder, ROOT))
      .filter((name) => name.endsWith('.md'))
      .map((name) => folder + name);
  return ['', 'docs/', 'docs/guides/'].flatMap(markdownIn);
}

function withoutLongScripts(block: ShellBlock): ShellBlock {
  const lines = block.code.split('\n').filter((line) => !LONG_SCRIPT.test(line));
  return { ...block, code: lines.join('\n') || ':' };
}
