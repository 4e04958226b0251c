import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debianProgram } from './debian-package.ts';

test('a program in the PATH is found', async () => {
  const { path, skip } = await debianProgram('sh', { env: { CI: 'true' } });
  assert.equal(skip, false);
  assert.match(path, /\/sh$/);
});

test('tests of a program that no package contains are skipped by name, and fail if CI=true', async () => {
  const { skip } = await debianProgram('toponym-no-such-program', { env: {} });
  assert.match(String(skip), /^toponym-no-such-program is not installed: ./);
  await assert.rejects(
    debianProgram('toponym-no-such-program', { env: { CI: 'true' } }),
    /^Error: toponym-no-such-program is not installed: ./,
  );
});
