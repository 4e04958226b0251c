import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tryCommand } from '../package/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a build of the page that fails leaves nothing behind, and the page as it was', async (t) => {
  const copy = temporaryFolder(t);
  for (const path of ['package.json', 'src/client', 'src/http/page', 'src/place/sphere.ts']) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  const isSource = (path: string) => !/web\/(?:dist|node_modules)/.test(path);
  cpSync(join(ROOT, 'web'), join(copy, 'web'), { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
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
