import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { runCommand } from '../package/run-command.ts';
import { installTools, skipsTools, toolPath } from '../package/tools.ts';

const MAX_BYTES = 4096;

test('the client has at most 4 KB, minified and compressed', { skip: skipsTools }, async () => {
  await installTools();
  const source = fileURLToPath(new URL('../../src/client/client.ts', import.meta.url));
  const args = [source, '--bundle', '--minify', '--platform=neutral', '--target=es2022'];
  const { length } = gzipSync(await runCommand('.', toolPath('esbuild'), args));
  assert.ok(length > 1000 && length <= MAX_BYTES, `${length} bytes`);
});
