/**
 * Executes the commands of the documentation in fresh clones, and those of docs/install.md for npm in an empty
 * project. Pages with tests of their own are listed below.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serveFiles, wellServed } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { emptyProject, globalInstallation, installedProject, packedPackages } from '../package/packed-package.ts';
import { builtIndex } from '../support/built-index.ts';
import { freePort } from '../support/free-port.ts';
import { writeVersion } from '../support/index-version.ts';
import { type OutsideName, outsideProgram, skipWithout } from '../support/outside-programs.ts';
import { redisProgram, startRedis } from '../support/redis.ts';
import { freshClone } from './fresh-clone.ts';
import { runPage, withService } from './run-page.ts';
import { isShownOutput, type ShellBlock, shellBlocks, shownFiles } from './shell-blocks.ts';
import { serveGeonames, writeClientCertificate, writeSourceFiles } from './source-files.ts';

const ROOT = new URL('../../', import.meta.url);

/** Pages whose commands other tests execute. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/library.md': 'test/package/library-page.outside.test.ts',
  'docs/client.md': 'test/package/client-page.outside.test.ts',
  'docs/guides/https.md': 'test/docs/https-page.outside.test.ts',
};

/** Other sections of it are executed by test/deploy. */
const INSTALL = 'docs/install.md';

/**
 * Scripts that take minutes, one of which runs this test, or run once for all tests; what test/openapi runs; and
 * commands with the place that they find in a comment, which test/docs/readme.slow.test.ts runs.
 */
const NOT_EXECUTED =
  /^(?:npm test\b|npm run |npx (?:@hey-api\/openapi-ts|openapi-typescript)\b|npx toponym (?:query|reverse|get) .*# \p{Lu})/u;

/** Addresses in the documentation, which tests replace. */
const METRICS_PORT = '9464';
const COMPAT = '192.168.1.2:2322';
const REDIS = 'redis://10.0.0.5:6379';
const INDEX = 'https://data.example.com/world.toponym';

/** Pages that need further programs. */
const PROGRAMS: Readonly<Record<string, readonly OutsideName[]>> = {
  'docs/guides/snippets.md': ['python3', 'php', 'go', 'ruby'],
};

const skip = skipWithout(outsideProgram('curl'), outsideProgram('jq'), redisProgram);

describe('documentation', { concurrency: availableParallelism(), skip }, () => {
  for (const page of pages()) {
    const text = readFileSync(new URL(page, ROOT), 'utf8');
    const shown = page === INSTALL ? (/^## npm\n.*?^## /ms.exec(text)?.[0] ?? '') : text;
    const blocks = shellBlocks(shown).map(executedPart);
    if (blocks.every(({ code }) => code === ':') || page in TESTED_ELSEWHERE) continue;

    const options = { skip: skipWithout(...(PROGRAMS[page] ?? []).map(outsideProgram)) };
    test(`every command of ${page} works and prints what the page shows`, options, async (context) => {
      const folder = page === INSTALL ? emptyProject(context) : await freshClone(context);
      writeSourceFiles(folder);
      for (const { name, code } of shownFiles(shown)) writeFileSync(join(folder, name), code);
      const executed = withService(blocks);
      const { code, errors, outputs } = await runPage(executed, {
        folder,
        port: await freePort(),
        ...(await startServers(context, executed, folder)),
      });
      assert.equal(code, 0, `${page}: ${errors}`);
      for (const [i, { line, output }] of executed.entries()) {
        if (output === undefined) continue;
        const isShown = isShownOutput(outputs[i] ?? '', output);
        assert.ok(isShown, `${page}:${line} prints\n${outputs[i]}instead of\n${output}`);
      }
      assert.deepEqual(secretsThatGitSees(folder), [], 'a commit of everything would publish these files');
    });
  }
});

/** Starts the servers that the commands use, with their addresses by those in the documentation. */
async function startServers(context: TestContext, blocks: readonly ShellBlock[], folder: string) {
  const uses = (part: string) => blocks.some(({ code }) => code.includes(part));
  const addresses: Record<string, string> = {
    [METRICS_PORT]: String(await freePort()),
    [COMPAT]: `127.0.0.1:${await freePort()}`,
  };
  const env: NodeJS.ProcessEnv = {};
  await builtIndex();
  if (uses('./toponym-')) {
    const packed = await packedPackages();
    for (const tarball of readdirSync(packed)) symlinkSync(join(packed, tarball), join(folder, tarball));
    env.INSTALLED_PROJECT = await installedProject();
    env.INSTALLED_GLOBALLY = await globalInstallation();
  }
  if (uses('toponym update')) env.TOPONYM_SOURCE_URL = await serveGeonames(context);
  if (uses('clients.pem')) await writeClientCertificate(folder);
  if (uses(REDIS)) addresses[REDIS] = (await startRedis(context)).url;
  if (uses(INDEX)) {
    const file = join(folder, 'served.toponym');
    await writeVersion(file, 'served', ['Paris']);
    const { url, ca } = await serveFiles(context, wellServed(readFileSync(file)));
    addresses[INDEX] = url.href;
    env.NODE_EXTRA_CA_CERTS = join(folder, 'web-server.pem');
    writeFileSync(env.NODE_EXTRA_CA_CERTS, ca);
  }
  return { addresses, env };
}

/** Private files that the commands have left in the clone, and that .gitignore does not name. */
function secretsThatGitSees(folder: string): string[] {
  const isPrivate = (name: string) => {
    const stat = lstatSync(join(folder, name));
    return stat.isFile() && (stat.mode & 0o077) === 0;
  };
  const secrets = readdirSync(folder).filter(isPrivate);
  if (secrets.length === 0) return [];
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout;
  git('init', '--quiet');
  const ignored = git(
    '-c',
    `core.excludesFile=${fileURLToPath(new URL('.gitignore', ROOT))}`,
    'check-ignore',
    ...secrets,
  );
  return secrets.filter((name) => !ignored.split('\n').includes(name));
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
