/** Pipes and devices instead of files that the service reads. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureCertificate } from '../../src/serve/tls/certificate.ts';
import { writeVersion } from '../support/index-version.ts';
import { runService, runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('an overlay or certificate that becomes a pipe or a device is refused, and the service keeps running', {
  timeout: 60_000,
}, async (context) => {
  const folder = temporaryFolder(context);
  const [index, overlay, certPath] = ['data.toponym', 'overlay.ndjson', 'cert.pem'].map((name) => join(folder, name));
  assert.ok(index && overlay && certPath);
  await writeVersion(index, 'one', ['Alba']);
  writeFileSync(overlay, '');
  const good = await ensureCertificate(folder, new Date());
  copyFileSync(good.certPath, certPath);
  const service = await runService(context, {
    index,
    args: [
      ...['--threads', '1', '--watch-seconds', '0', '--overlay', overlay],
      ...['--tls-cert', certPath],
      ...['--tls-key', good.keyPath],
    ],
  });
  // the path where the test client looks for the certificate to trust
  mkdirSync(join(service.state, 'tls'));
  copyFileSync(good.certPath, join(service.state, 'tls', 'cert.pem'));
  for (const path of [overlay, certPath]) {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  }
  service.child.kill('SIGHUP');
  await service.logged(`${overlay} cannot be read: a pipe, not a file`);
  await service.logged(`${certPath} cannot be read: a pipe, not a file`);
  rmSync(overlay);
  symlinkSync('/dev/zero', overlay);
  service.child.kill('SIGHUP');
  await service.logged(`${overlay} cannot be read: a device, not a file`);
  assert.equal((await service.call('/healthz', { method: 'GET' })).status, 200);
  service.child.kill('SIGTERM');
  assert.deepEqual(await service.ended(), [0, null]);
});

test('a setting that names a pipe is refused at the start', { timeout: 60_000 }, async (context) => {
  const folder = temporaryFolder(context);
  const pipe = join(folder, 'pipe');
  const index = join(folder, 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  const { certPath, keyPath } = await ensureCertificate(folder, new Date());
  execFileSync('mkfifo', [pipe]);
  const settings: Record<string, string[]> = {
    certificate: ['--tls-cert', pipe, '--tls-key', keyPath],
    key: ['--tls-cert', certPath, '--tls-key', pipe],
    'client authorities': ['--tls-client-ca', pipe],
    'IP database': ['--ip-database', pipe],
    overlay: ['--overlay', pipe],
    'configuration file': ['--config', pipe],
  };
  for (const [what, args] of Object.entries(settings)) {
    const state = join(folder, 'state');
    const started = runToponym(['serve', '--json', '--state', state, '--index', index, '--threads', '1', ...args]);
    const { code, stderr } = await started;
    assert.equal(code, 2, what);
    assert.match(stderr, new RegExp(`${what} ${pipe} cannot be read: a pipe, not a file\\.`), what);
  }
});
