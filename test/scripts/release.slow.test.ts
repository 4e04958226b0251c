import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand, tryCommand } from '../package/run-command.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { skip } = outsideProgram('git');
const RELEASED = [
  '.gitignore',
  'README.md',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'packages',
  'scripts',
  'deploy',
  'docs',
];

test('a release writes version and changelog, packs the package with its SBOM, commits and tags', {
  skip,
}, async (context) => {
  const folder = await clone(context);
  const { code, stdout, stderr } = await release(folder, '9.8.7');
  assert.equal(code, 0, stderr);
  const today = new Date().toISOString().slice(0, 10);
  assert.match(
    read(folder, 'CHANGELOG.md'),
    new RegExp(`^## Unreleased\\n\\n## 9\\.8\\.7 - ${today}\\n\\n### Added`, 'm'),
  );
  assert.equal(JSON.parse(read(folder, 'package.json')).version, '9.8.7');
  assert.equal(JSON.parse(read(folder, 'packages/client/package.json')).version, '9.8.7');
  const locked = JSON.parse(read(folder, 'package-lock.json')).packages;
  assert.deepEqual([locked[''].version, locked['packages/client'].version], ['9.8.7', '9.8.7']);
  assert.match(read(folder, 'deploy/helm/toponym/Chart.yaml'), /^version: 9\.8\.7\nappVersion: 9\.8\.7$/m);
  assert.match(read(folder, 'deploy/compose/compose.yaml'), /^ {2}image: toponym:9\.8\.7$/m);
  assert.match(read(folder, 'deploy/Dockerfile'), /^ARG VERSION=9\.8\.7$/m);
  assert.match(read(folder, 'docs/install.md'), /^docker push registry\.example\.com\/toponym:9\.8\.7$/m);
  assert.match(read(folder, 'docs/install.md'), /^npm install \.\/toponym-9\.8\.7\.tgz /m);
  assert.match(read(folder, 'docs/guides/search-box.md'), /npm install \.\/toponym-client-9\.8\.7\.tgz`/);
  assert.match(read(folder, 'deploy/github-actions/test-application.yml'), /^ *TOPONYM_VERSION: 9\.8\.7$/m);
  assert.match(read(folder, 'deploy/github-actions/nightly-index.yml'), /^ *TOPONYM_VERSION: 9\.8\.7$/m);
  assert.equal(await git(folder, 'log', '-1', '--format=%s %D'), 'Release 9.8.7 HEAD -> main, tag: v9.8.7\n');
  assert.equal(await git(folder, 'status', '--porcelain'), '');
  const unpack = (name: string, file: string) =>
    runCommand(folder, 'tar', ['-xOf', `release/${name}-9.8.7.tgz`, `package/${file}`]);
  const packed = await unpack('toponym', 'package.json');
  for (const name of ['toponym', 'toponym-client', 'toponym-engine']) {
    assert.equal(JSON.parse(await unpack(name, 'package.json')).version, '9.8.7');
    assert.equal(await unpack(name, 'dist/built.js'), 'built\n', `${name} was built`);
  }
  assert.match(stdout, /To publish:\n {2}git push --follow-tags\n {2}npm run publish:all\n$/);

  const list = JSON.parse(read(folder, 'release/toponym-9.8.7.cdx.json'));
  assert.deepEqual([list.bomFormat, list.metadata.component.purl], ['CycloneDX', 'pkg:npm/toponym@9.8.7']);
  const names = list.components.map(({ name }: { name: string }) => name);
  for (const name of Object.keys(JSON.parse(packed).dependencies)) assert.ok(names.includes(name), name);
  assert.deepEqual(
    names.filter((name: string) => /^(node-linux|typescript|@biomejs|toponym-)/.test(name)),
    [],
  );

  const again = await release(folder, '9.8.7');
  assert.equal(again.stderr, 'No release was made: the tag v9.8.7 exists.\n');
  const unchanged = await release(folder, '9.8.8');
  assert.equal(unchanged.stderr, 'No release was made: CHANGELOG.md has nothing under "Unreleased".\n');
});

test('no release is made of a tree with changes, or with a wrong version', { skip }, async (context) => {
  const folder = await clone(context);
  const wrong = await release(folder, 'v2');
  assert.deepEqual(wrong, {
    code: 1,
    stdout: '',
    stderr: 'No release was made: the version must be like 1.2.3 or 1.2.3-rc.1, got "v2".\n',
  });
  appendFileSync(join(folder, 'README.md'), 'more');
  writeFileSync(join(folder, 'new-file'), '');
  const dirty = await release(folder, '9.8.7');
  assert.equal(dirty.stderr, 'No release was made: commit or remove these changes first:\nM README.md\n?? new-file\n');
  assert.equal(existsSync(join(folder, 'release')), false);
});

test('a release whose tag fails leaves no commit and no files', { skip }, async (context) => {
  const folder = await clone(context);
  await git(folder, 'config', 'tag.gpgSign', 'true');
  await git(folder, 'config', 'gpg.program', 'false');
  const { code, stderr } = await release(folder, '9.8.7', fastNpm(context));
  assert.equal(code, 1);
  assert.match(stderr, /No release was made: Command failed: git tag/);
  assert.equal(await git(folder, 'log', '-1', '--format=%s %D'), 'Begin HEAD -> main\n');
  assert.deepEqual(readdirSync(join(folder, 'release')), []);
});

test('no release is made if a file no longer has its version where the script expects it', {
  skip,
}, async (context) => {
  const folder = await clone(context);
  const dockerfile = read(folder, 'deploy/Dockerfile');
  writeFileSync(join(folder, 'deploy/Dockerfile'), dockerfile.replace(/^ARG VERSION=.*$/m, 'ARG RELEASE'));
  await git(folder, 'commit', '--quiet', '--all', '--message', 'Rename the argument');
  const { code, stderr } = await release(folder, '9.8.7', fastNpm(context));
  assert.equal(code, 1);
  assert.match(stderr, /No release was made: deploy\/Dockerfile has no version: nothing matches/);
  assert.equal(await git(folder, 'status', '--porcelain'), '');
});

test('a release that fails leaves no change', { skip }, async (context) => {
  const folder = await clone(context, 'process.exitCode = 1;');
  const { code } = await release(folder, '9.8.7');
  assert.equal(code, 1);
  assert.equal(await git(folder, 'status', '--porcelain'), '');
  assert.equal(await git(folder, 'log', '-1', '--format=%s %D'), 'Begin HEAD -> main\n');
});

/** A build that takes milliseconds: the tests of the package show what a real one makes. */
const BUILD = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist', { recursive: true });
writeFileSync('dist/built.js', 'built\\n');
`;

/** A repository with the files of this one that a release changes, another build, and one commit. */
async function clone(context: TestContext, build = BUILD): Promise<string> {
  const folder = temporaryFolder(context);
  for (const path of RELEASED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const { prebuild: _setup, ...scripts } = JSON.parse(read(folder, 'package.json')).scripts;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...JSON.parse(read(folder, 'package.json')), scripts }));
  for (const script of ['build.js', 'build-package.js']) writeFileSync(join(folder, 'scripts', script), build);
  const changed = read(folder, 'CHANGELOG.md').replace(
    '## Unreleased\n',
    '## Unreleased\n\n### Added\n\n- A change.\n',
  );
  writeFileSync(join(folder, 'CHANGELOG.md'), changed);
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'config', 'user.name', 'Test');
  await git(folder, 'config', 'user.email', 'test@localhost');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'Begin');
  return folder;
}

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  return await runCommand(folder, 'git', args);
}

async function release(folder: string, version: string, path = process.env.PATH) {
  return await tryCommand(folder, 'env', [`PATH=${path}`, process.execPath, 'scripts/release.js', version]);
}

/** A PATH with an npm that changes and writes what the real one does, but packs nothing. */
function fastNpm(context: TestContext): string {
  const folder = temporaryFolder(context);
  const script = `#!/bin/sh
case "$1" in
  version) sed -i "s/"version": .*/"version": "$2",/" package.json ;;
  run) for name in toponym toponym-client toponym-engine; do echo packed >"$5/$name-9.8.7.tgz"; done ;;
  sbom) echo '{"metadata":{"component":{}}}' ;;
esac
`;
  writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}
