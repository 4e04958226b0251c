/** `npm run publish:all` with the real npm, the packed packages and a registry on this machine. */
import assert from 'node:assert/strict';
import { cpSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from 'toponym-files/program';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { emptyProject, NPM_INSTALL, packedPackages } from './packed-package.ts';
import { startRegistry } from './registry.ts';
import { runCommand, tryCommand } from './run-command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('all packages are published from the tagged commit, also after a failure, and npm installs them', async (context) => {
  const { folder, registry, publish, env } = await releasedClone(context);

  await git(folder, 'tag', '--delete', `v${VERSION}`);
  assert.match(
    (await publish()).stderr,
    new RegExp(`this commit has no tag v${VERSION}, which "npm run release" makes`),
  );
  await git(folder, 'tag', `v${VERSION}`);
  writeFileSync(join(folder, 'new-file'), '');
  assert.match((await publish()).stderr, /commit or remove these changes first:\n\?\? new-file\n/);
  await git(folder, 'clean', '--force', '--quiet');

  // npm itself refuses to prove the origin outside of GitHub and GitLab
  const proven = await publish('ACTIONS_ID_TOKEN_REQUEST_URL=http://127.0.0.1:9');
  assert.match(proven.stderr, /Automatic provenance generation not supported/);
  assert.deepEqual([proven.code, [...registry.published.keys()]], [1, []]);

  registry.refused.add('toponym');
  const halfway = await publish();
  assert.equal(halfway.code, 1);
  assert.match(
    halfway.stderr,
    /npm publish \.\/release\/toponym-[\d.]+tgz failed\. Run the command again to continue\.\n$/,
  );
  assert.deepEqual([...registry.published.keys()], ['toponym-engine', 'toponym-client']);
  registry.refused.clear();
  const resumed = await publish();
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match(resumed.stdout, new RegExp(`The registry has toponym-client@${VERSION} already\\.`));
  assert.match(resumed.stdout, new RegExp(`Published toponym@${VERSION}\\.\\n$`));
  const again = await publish();
  assert.equal(again.code, 1);
  assert.match(again.stderr, new RegExp(`the registry has version ${VERSION} of all packages`));

  const project = emptyProject(context);
  const names = ['--omit=optional', 'toponym', 'toponym-client', 'toponym-engine'];
  await runCommand(project, 'env', [...env, 'npm', ...NPM_INSTALL, ...names]);
  assert.equal(await runCommand(project, 'npx', ['toponym', '--version']), `${VERSION}\n`);
  for (const name of ['toponym-client', 'toponym-engine']) {
    await runCommand(project, process.execPath, ['--eval', `import('${name}')`]);
  }
});

test('nothing is published if the registry has a package of this name and version with other content', async (context) => {
  const { registry, publish } = await releasedClone(context);
  const dist = { integrity: 'sha512-other', tarball: 'http://127.0.0.1/other.tgz' };
  registry.published.set('toponym', {
    'dist-tags': { latest: VERSION },
    versions: { [VERSION]: { name: 'toponym', version: VERSION, dist } },
    _attachments: {},
  });
  const { code, stderr } = await publish();
  assert.equal(code, 1);
  assert.match(
    stderr,
    new RegExp(`the registry has another toponym@${VERSION} than \\./release/toponym-${VERSION}\\.tgz\\.\n$`),
  );
  assert.equal(registry.published.has('toponym-client'), false);
});

/** A repository with the script, the manifests, the packed tarballs and the tag of a release. */
async function releasedClone(context: TestContext) {
  const folder = temporaryFolder(context);
  const manifests = ['', 'packages/client', 'packages/engine/published'].map((name) => join(name, 'package.json'));
  for (const path of [...manifests, 'scripts/publish.js']) {
    cpSync(join(ROOT, path), join(folder, path));
  }
  mkdirSync(join(folder, 'release'));
  const packed = await packedPackages();
  for (const tarball of readdirSync(packed)) linkSync(join(packed, tarball), join(folder, 'release', tarball));
  writeFileSync(join(folder, '.gitignore'), '/release/\n');
  await git(folder, 'init', '--quiet');
  await git(folder, 'add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  await git(folder, ...author, 'commit', '--quiet', '--message', 'Release');
  await git(folder, 'tag', `v${VERSION}`);

  const upstream = (await runCommand(folder, 'npm', ['config', 'get', 'registry'])).trim();
  const registry = await startRegistry(context, { upstream });
  const config = join(temporaryFolder(context), 'npmrc');
  writeFileSync(config, `registry=http://${registry.host}/\n//${registry.host}/:_authToken=secret\n`);
  const env = [`NPM_CONFIG_USERCONFIG=${config}`];
  const publish = (...more: string[]) =>
    tryCommand(folder, 'env', [...env, ...more, process.execPath, 'scripts/publish.js']);
  return { folder, registry, publish, env };
}

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  await runCommand(folder, 'git', args);
}
