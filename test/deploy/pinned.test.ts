/** Images and actions that deploy/ names are pinned by digest or commit, because tags may move. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('../../deploy/', import.meta.url);
const REFERENCES = [
  /^FROM (\S+)/gm,
  /^ARG \w*IMAGE=(.*)$/gm,
  /^COPY --from=(\S+)/gm,
  /^[ -]*image: *["']?([^"'\s]\S*)/gm,
  /^[ -]*uses: *(.*)$/gm,
];
const PINNED = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$|^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
/** Stages of the Dockerfile, the empty image, and the images that users build themselves. */
const NOT_PINNED = /^(\$\{NODE_IMAGE\}|build|app|scratch|toponym:[\d.]+|\{\{)/;

test('every image and every action of deploy/ is pinned', () => {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'utf8'));
  const references = texts.flatMap((text) =>
    REFERENCES.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = '']) => name)),
  );
  const pinned = references.filter((name) => PINNED.test(name));
  const others = references.filter((name) => !PINNED.test(name) && !NOT_PINNED.test(name));
  assert.deepEqual(others, []);
  assert.ok(pinned.length >= 8, pinned.join());
});
