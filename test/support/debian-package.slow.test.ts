import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { debianProgram, presetDisabled } from './debian-package.ts';
import { temporaryFolder } from './temporary-folder.ts';

const systemctl = await debianProgram('systemctl', { packageName: 'systemd' });

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

test('a package that tests install leaves its service disabled', { skip: systemctl.skip }, (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, 'usr/lib/systemd/system'), { recursive: true });
  for (const name of ['server', 'other']) {
    const unit = '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n';
    writeFileSync(join(root, 'usr/lib/systemd/system', `${name}.service`), unit);
  }
  presetDisabled('server', root);
  // as deb-systemd-helper does after an installation
  const preset = ['--system', '--preset-mode=enable-only', 'preset', 'server.service', 'other.service'];
  execFileSync(systemctl.path, [`--root=${root}`, ...preset], { stdio: 'ignore' });
  assert.deepEqual(readdirSync(join(root, 'etc/systemd/system/multi-user.target.wants')), ['other.service']);
});
