/** How `npm run test:all` installs what is missing, with an `apt-get` that only notes its calls. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { skipUser } from '../support/unprivileged.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;
const PRESET = '/run/systemd/system-preset/00-toponym-test.preset';

/** Runs the test command on a machine without programs and with CI=true. */
function runTests(context: TestContext, aptGet: string, user = {}) {
  const folder = temporaryFolder(context);
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\n${aptGet}\n`, { mode: 0o755 });
  const { TOPONYM_TEST_RUN: _run, NODE_TEST_CONTEXT: _nested, ...env } = process.env;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/test.ts', '--all', 'packages/engine/test/text/fold.test.ts'],
    {
      cwd: ROOT,
      env: { ...env, CI: 'true', PATH: folder, CALLS: join(folder, 'calls') },
      encoding: 'utf8',
      ...user,
    },
  );
  return { status, stderr, callsFile: join(folder, 'calls') };
}

test('with CI=true apt-get installs what is missing, without its services, and must succeed', {
  skip: process.getuid?.() === 0 ? false : 'only root can install packages',
}, (t) => {
  const { status, stderr, callsFile } = runTests(t, `echo "$@" $(test -e ${PRESET} && echo preset) >> $CALLS`);
  const [update, install] = readFileSync(callsFile, 'utf8').split('\n');
  assert.equal(update, 'update --quiet preset');
  assert.match(install ?? '', /^install --yes .*--no-install-recommends .* buildah caddy .*chromium .* preset$/);
  assert.equal(status, 1);
  assert.match(stderr, /^apt-get did not install .*caddy/m);
  assert.equal(existsSync(PRESET), false);
  const failed = runTests(t, 'exit 100');
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /^apt-get update --quiet failed with exit code 100$/m);
  assert.equal(existsSync(PRESET), false);
});

test('with CI=true a user who is not root is told what to install', { skip: skipUser(NOBODY) }, (t) => {
  const { status, stderr, callsFile } = runTests(t, 'echo "$@" >> $CALLS', { uid: NOBODY, gid: NOBODY });
  assert.equal(status, 1);
  assert.match(stderr, /^CI=true needs packages that only root can install with apt-get: .*caddy/);
  assert.equal(existsSync(callsFile), false);
});
