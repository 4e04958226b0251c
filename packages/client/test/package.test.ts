import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const client = JSON.parse(read('packages/client/package.json'));
const toponym = JSON.parse(read('package.json'));

test('both packages have the same version and licence, and the client needs no other package', () => {
  assert.equal(client.version, toponym.version);
  assert.equal(read('packages/client/LICENSE'), read('LICENSE'));
  const { dependencies, peerDependencies, optionalDependencies } = client;
  assert.deepEqual([dependencies, peerDependencies, optionalDependencies], [undefined, undefined, undefined]);
});

test('the package toponym has every module of the client, except for the types of frameworks', () => {
  const modules = Object.entries<{ types?: string }>(client.exports).filter(([, { types }]) =>
    types?.startsWith('./dist/'),
  );
  assert.ok(modules.length >= 5);
  for (const [name, target] of modules) {
    const inToponym = JSON.parse(JSON.stringify(target).replaceAll('./dist/', './dist/client/'));
    assert.deepEqual(toponym.exports[name.replace('.', './client')], inToponym);
  }
});
