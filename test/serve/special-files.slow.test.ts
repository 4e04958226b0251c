/** Pipes and devices instead of files that the service reads. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureCertificate } from '../../src/serve/tls/certificate.ts';
import { smallIndex } from '../support/index-version.ts';
import { refusedStart } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a setting that names a pipe is refused at the start', async (context) => {
  const folder = temporaryFolder(context);
  const pipe = join(folder, 'pipe');
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
    const fixed = ['--json', '--state', join(folder, 'state'), '--index', await smallIndex(), '--threads', '1'];
    const { code, stderr } = await refusedStart([...fixed, ...args]);
    assert.equal(code, 2, what);
    assert.match(stderr, new RegExp(`${what} ${pipe} cannot be read: a pipe, not a file\\.`), what);
  }
});
