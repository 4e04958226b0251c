import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { runCommand } from '../package/run-command.ts';
import { installTools, skipsTools, toolPath } from '../package/tools.ts';

const PAGE = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');

for (const { what, source, maxBytes, stated } of [
  {
    what: 'the client',
    source: 'client.ts',
    maxBytes: 4096,
    stated: /It has no dependencies, and\n(\S+) KB when minified/,
  },
  {
    what: 'the element with the client',
    source: 'search-element.ts',
    maxBytes: 8192,
    stated: /it has (\S+) KB when minified/,
  },
]) {
  test(`${what} has at most ${maxBytes / 1024} KB, minified and compressed, and the documentation says how much`, {
    skip: skipsTools,
  }, async () => {
    await installTools();
    const path = fileURLToPath(new URL(`../../src/client/${source}`, import.meta.url));
    const args = [path, '--bundle', '--minify', '--platform=neutral', '--target=es2022'];
    const { length } = gzipSync(await runCommand('.', toolPath('esbuild'), args));
    assert.ok(length <= maxBytes, `${length} bytes`);
    assert.equal(stated.exec(PAGE)?.[1], (length / 1000).toFixed(1), 'docs/client.md states the size');
  });
}
