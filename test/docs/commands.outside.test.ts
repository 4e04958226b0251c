/** Executes the commands of the documentation. Pages with tests of their own are listed below. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serveFiles, wellServed } from '../fetch/file-server.ts';
import { builtIndex } from '../support/built-index.ts';
import { freePort } from '../support/free-port.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { redisProgram, startRedis } from '../support/redis.ts';
import { projectClone } from './project-clone.ts';
import { runPage, withService } from './run-page.ts';
import { isShownOutput, type ShellBlock, shellBlocks } from './shell-blocks.ts';
import { serveGeonames, writeClientCertificate, writeSourceFiles } from './source-files.ts';

const ROOT = new URL('../../', import.meta.url);

/** Pages whose commands other tests execute. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/install.md': 'the table at its end names the tests',
  'docs/library.md': 'test/package/library-page.outside.test.ts',
  'docs/client.md': 'test/package/client-page.outside.test.ts',
};

/** Scripts that take minutes, one of which runs this test; and what test/openapi runs. */
const NOT_EXECUTED = /^(?:npm test\b|npm run |npx (?:@hey-api\/openapi-ts|openapi-typescript)\b)/;

const programs = [outsideProgram('curl'), outsideProgram('jq'), redisProgram];
const skip = programs.find((program) => program.skip !== false)?.skip ?? false;

for (const page of pages()) {
  const blocks = shellBlocks(readFileSync(new URL(page, ROOT), 'utf8'));
  if (blocks.length === 0 || page in TESTED_ELSEWHERE) continue;

  test(`every command of ${page} works and prints what the page shows`, { skip }, async (context) => {
    const folder = projectClone(context);
    writeSourceFiles(folder);
    const executed = withService(blocks.map(executedPart));
    const { addresses, ca } = await startServers(context, folder);
    const { code, errors, outputs } = await runPage(executed, {
      folder,
      port: await freePort(),
      addresses,
      env: { TOPONYM_SOURCE_URL: await serveGeonames(context), NODE_EXTRA_CA_CERTS: ca },
    });
    assert.equal(code, 0, `${page}: ${errors}`);
    for (const [i, { line, output }] of executed.entries()) {
      if (output === undefined) continue;
      assert.ok(isShownOutput(outputs[i] ?? '', output), `${page}:${line} prints\n${outputs[i]}instead of\n${output}`);
    }
  });
}

/** A Redis, and a web server with an index. Returns their addresses by those in the documentation. */
async function startServers(context: TestContext, folder: string) {
  const redis = await startRedis(context);
  const index = await serveFiles(context, wellServed(readFileSync(await builtIndex())));
  const ca = join(folder, 'web-server.pem');
  writeFileSync(ca, index.ca);
  await writeClientCertificate(folder);
  const addresses = {
    'redis://10.0.0.5:6379': redis.url,
    'https://data.example.com/world.toponym': index.url.href,
  };
  return { addresses, ca };
}

test('every npm script that the documentation names exists', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  for (const page of pages()) {
    const text = readFileSync(new URL(page, ROOT), 'utf8');
    for (const [command, name = ''] of text.matchAll(/\bnpm run ([\w-]+(?::\w+)*)/g)) {
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

function executedPart(block: ShellBlock): ShellBlock {
  const lines = block.code.split('\n').filter((line) => !NOT_EXECUTED.test(line));
  return { ...block, code: lines.join('\n') || ':' };
}
