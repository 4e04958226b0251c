import assert from 'node:assert/strict';
import fs, { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linkPackages } from '../../scripts/link-packages.ts';
import { bundle, replaceFolder, SOURCES } from '../../web/build.js';
import { tryCommand } from '../package/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a build of the page that fails leaves nothing behind, and the page as it was', async (t) => {
  const copy = temporaryFolder(t);
  for (const path of ['package.json', ...SOURCES]) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  linkPackages(ROOT, copy);
  symlinkSync(join(ROOT, 'web/node_modules'), join(copy, 'web/node_modules'));
  mkdirSync(join(copy, 'web', 'dist'));
  writeFileSync(join(copy, 'web', 'dist', 'index.html'), 'the page as it was');
  // found only after esbuild has written its files
  writeFileSync(
    join(copy, 'web', 'licences.js'),
    "export const licenceText = () => { throw new Error('no licence'); };",
  );
  const { code, stderr } = await tryCommand(copy, process.execPath, ['web/build.js']);
  assert.match(stderr, /no licence/);
  assert.equal(code, 1);
  assert.deepEqual(readdirSync(join(copy, 'web', 'dist')), ['index.html']);
  assert.deepEqual(
    readdirSync(join(copy, 'web')).filter((name) => name.startsWith('dist')),
    ['dist'],
  );
});

test('the bundle is built again after a change of any file that is in it', async (t) => {
  const { inputs } = await bundle(temporaryFolder(t));
  const paths = Object.keys(inputs).map((path) => relative(ROOT, join(ROOT, 'web', path)));
  const own = paths.filter((path) => !path.includes('node_modules/')); // package.json has their versions
  assert.ok(own.includes('web/src/page.ts'), own.join(' '));
  assert.deepEqual(
    own.filter((path) => !SOURCES.some((source) => path === source || path.startsWith(`${source}/`))),
    [],
  );
});

test('of two builds at once the last one wins', (t) => {
  const folder = temporaryFolder(t);
  const [target, source] = [join(folder, 'dist'), join(folder, 'dist.1')];
  mkdirSync(source);
  writeFileSync(join(source, 'index.html'), 'this build');
  const rename = fs.renameSync;
  t.after(syncBuiltinESMExports);
  t.mock.method(fs, 'renameSync').mock.mockImplementationOnce((...paths) => {
    mkdirSync(target);
    writeFileSync(join(target, 'page.js'), 'the other build');
    rename(...paths);
  });
  syncBuiltinESMExports();
  replaceFolder(target, source);
  assert.deepEqual(readdirSync(folder), ['dist']);
  assert.deepEqual(readdirSync(target), ['index.html']);
  assert.equal(readFileSync(join(target, 'index.html'), 'utf8'), 'this build');
});
