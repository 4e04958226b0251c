/** Checks the example workflows as GitHub's editor does, and runs their steps. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from 'toponym-files/program';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import { type Responder, servePlainHttp, status, wellServed } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { writeZip } from '../../packages/gazetteer/test/sources/input/write-zip.ts';
import { builtIndex } from '../support/built-index.ts';
import { PROGRAM, testEnvironment } from '../support/environment.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// the validator imports JSON files without saying that they are JSON
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.json')) return nextLoad(url, context);
    return nextLoad(url, { ...context, importAttributes: { type: 'json' } });
  },
});
const { validate } = await import('@actions/languageservice');

const FOLDER = fileURLToPath(new URL('../../deploy/github-actions', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../fixtures/sources/geonames', import.meta.url));
const FILES = readdirSync(FOLDER);
let documents = 0;
const curl = outsideProgram('curl');
const jq = outsideProgram('jq');

for (const file of FILES) {
  test(`GitHub's validator finds no mistake in ${file}`, async () => {
    assert.deepEqual(await problemsOf(readFileSync(join(FOLDER, file), 'utf8')), []);
  });

  test(`${file} installs this version`, () => {
    for (const { env } of jobsOf(file)) assert.equal(env.TOPONYM_VERSION, VERSION);
  });
}

test('the validator finds unknown keys and expressions', async () => {
  const workflow = readFileSync(join(FOLDER, 'nightly-index.yml'), 'utf8');
  assert.match(String(await problemsOf(workflow.replace('runs-on:', 'run-on:'))), /Unexpected value 'run-on'/);
  assert.match(String(await problemsOf(workflow.replace('github.run_id', 'github.run_di'))), /run_di/);
});

test('the steps of nightly-index.yml build and verify an index', async (t) => {
  const tables = ['admin1CodesASCII.txt', 'admin2Codes.txt', 'countryInfo.txt'];
  const dump = writeZip({ name: 'cities500.txt', content: readFileSync(join(FIXTURES, 'LI.txt')) });
  const files = new Map<string | undefined, Responder>([
    ...tables.map((name) => [`/${name}`, wellServed(readFileSync(join(FIXTURES, name)))] as const),
    ['/cities500.zip', wellServed(dump)],
  ]);
  const sourceUrl = await servePlainHttp(t, (request, response) =>
    (files.get(request.url) ?? status(404))(request, response),
  );
  const run = runnerIn(temporaryFolder(t), 'nightly-index.yml', { TOPONYM_SOURCE_URL: sourceUrl.href });
  assert.match(await run('Build the index'), /"status":\s*"built"/);
  assert.match(await run('Verify the index', (script) => script.replace('paris', 'oberbach')), /Oberbach/);
  assert.match(await run('Build the index'), /"status":\s*"unchanged"/);
});

test('the steps of test-application.yml start a service and call it', { skip: curl.skip || jq.skip }, async (t) => {
  const folder = temporaryFolder(t);
  const run = runnerIn(folder, 'test-application.yml', { TOPONYM_INDEX: await builtIndex() });
  try {
    assert.match(await run('Start Toponym'), /^::add-mask::./m);
    assert.equal(await run('Call Toponym'), 'true\n');
    const { stdout } = await runToponym(['keys', 'list', '--json', '--state', join(folder, 'state')]);
    const [key] = JSON.parse(stdout).filter(({ label }: { label: string }) => label === 'tests');
    assert.equal(key.perMinute, 'unlimited');
  } finally {
    process.kill(JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8')).pid, 'SIGKILL');
  }
});

interface Job {
  readonly env: Record<string, string>;
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

function jobsOf(file: string): Job[] {
  return Object.values(parse(readFileSync(join(FOLDER, file), 'utf8')).jobs);
}

/** Each document has a name of its own, because the validator caches by name. */
async function problemsOf(workflow: string): Promise<string[]> {
  const document = TextDocument.create(`file:///${++documents}.yml`, 'yaml', 1, workflow);
  return (await validate(document)).map(({ message }) => String(message));
}

/** Returns a function that runs a step of the workflow in `folder` and returns its output. */
function runnerIn(folder: string, file: string, settings: NodeJS.ProcessEnv) {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  // this clone takes the place of the package that npm would install from the tarball
  const command = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(programs, 'toponym'), command, { mode: 0o755 });
  writeFileSync(join(folder, `toponym-${VERSION}.tgz`), '');
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\ntest -f "$3"\n', { mode: 0o755 });
  const githubEnv = join(folder, 'github-env');
  writeFileSync(githubEnv, '');
  const [job] = jobsOf(file);
  assert.ok(job);
  const state = { TOPONYM_STATE: join(folder, 'state'), GITHUB_ENV: githubEnv };
  const PATH = `${programs}:${process.env.PATH}`;
  return async (stepName: string, change = (script: string) => script): Promise<string> => {
    const step = job.steps.find(({ name }) => name === stepName);
    assert.ok(step?.run, stepName);
    const env = { ...testEnvironment(), ...job.env, ...state, ...settings, ...readEnv(githubEnv), PATH };
    // the options of GitHub's runner
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', change(step.run)];
    const child = spawn('bash', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
}

function readEnv(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
