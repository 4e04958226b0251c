/** The published package `toponym-client`: what is in it, and how large it is once installed. */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packClient, projectWithClient } from './packed-package.ts';
import { runCommand } from './run-command.ts';
import { skipsTools, TOOLS } from './tools.ts';

/** The texts of the search field in 17 languages are 14 KB of it. */
const MAX_BYTES = 80_000;

test('npm installs the client and nothing else, in at most 80 KB', async (context) => {
  const packages = join(await projectWithClient(context), 'node_modules');
  assert.deepEqual(
    readdirSync(packages).filter((name) => !name.startsWith('.')),
    ['toponym-client'],
  );
  const folder = join(packages, 'toponym-client');
  assert.deepEqual(readdirSync(folder).sort(), ['LICENSE', 'README.md', 'dist', 'package.json', 'types']);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)));
  const bytes = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
  assert.ok(bytes > 20_000 && bytes <= MAX_BYTES, `${bytes} bytes`);
});

test('publint finds no fault in the client', { skip: skipsTools }, async () => {
  await TOOLS.install();
  const publint = await runCommand('.', TOOLS.path('publint'), ['run', '--strict', await packClient()]);
  assert.match(publint, /All good!/);
});
