import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const PAGE = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');

for (const { what, source, maxBytes, stated } of [
  {
    what: 'the client',
    source: 'client.ts',
    maxBytes: 4096,
    stated: /minified and compressed, the client has (\S+) KB/,
  },
  {
    what: 'the element with the client',
    source: 'search-element.ts',
    maxBytes: 19_456,
    stated: /it has (\S+) KB when minified/,
  },
]) {
  test(`${what} has at most ${maxBytes / 1024} KB, minified and compressed, and the documentation says how much`, async () => {
    const path = fileURLToPath(new URL(`../src/${source}`, import.meta.url));
    const { outputFiles } = await build({
      ...{
        entryPoints: [path],
        bundle: true,
        minify: true,
        platform: 'neutral',
        target: 'es2022',
        charset: 'utf8',
        write: false,
      },
    });
    const { length } = gzipSync(outputFiles[0]?.contents ?? '');
    assert.ok(length <= maxBytes, `${length} bytes`);
    assert.equal(stated.exec(PAGE)?.[1], (length / 1000).toFixed(1), 'docs/client.md states the size');
  });
}
