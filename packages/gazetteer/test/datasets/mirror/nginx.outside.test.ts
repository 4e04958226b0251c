/** An index on Debian's nginx, as a static file over HTTPS. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ensureCertificate } from 'toponym-server/serve/tls/certificate';
import { canConnect } from '../../../../../test/deploy/example-proxy.ts';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { freePort } from '../../../../../test/support/free-port.ts';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { outsideProgram } from '../../../../../test/support/outside-programs.ts';
import { noticeOf, untilNotice } from '../../../../../test/support/readiness.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { NAMES, runReplica } from './index-server.ts';

const nginx = outsideProgram('nginx');

/** Serves the files of `www` in a temporary folder. */
async function runNginx(context: TestContext) {
  const folder = temporaryFolder(context);
  const www = join(folder, 'www');
  mkdirSync(www);
  await ensureCertificate(folder, new Date());
  const port = await freePort();
  const config = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder};`);
  writeFileSync(
    config,
    `events {}
    http {
      access_log off;
      ${temporary.join(' ')}
      server {
        listen 127.0.0.1:${port} ssl;
        ssl_certificate ${folder}/tls/cert.pem;
        ssl_certificate_key ${folder}/tls/key.pem;
        root ${www};
      }
    }`,
  );
  const global = `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/nginx.pid;`;
  const child = spawn(nginx.path, ['-p', folder, '-c', config, '-e', 'stderr', '-g', global], { stdio: 'ignore' });
  context.after(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  await waitUntil('nginx listens', () => canConnect(port));
  return {
    index: join(www, 'world.toponym'),
    url: new URL(`https://127.0.0.1:${port}/world.toponym`),
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'tls', 'cert.pem') },
  };
}

test('a replica follows an index on nginx: new, damaged and repaired', { skip: nginx.skip }, async (context) => {
  const server = await runNginx(context);
  await writeVersion(server.index, 'one', NAMES);
  const service = await runReplica(context, server, { args: ['--watch-seconds', '1'] });
  assert.equal(await service.version(), 'one');
  await writeVersion(server.index, 'two', [...NAMES, 'Gaia']);
  await service.logged('"data":"two"');
  assert.equal(await service.version(), 'two');
  writeFileSync(server.index, 'unfinished upload');
  await untilNotice(service, /^index world\.toponym not reloaded; the log says why$/);
  assert.equal(await service.version(), 'two');
  await writeVersion(server.index, 'three', NAMES);
  await service.logged('"data":"three"');
  await waitUntil('the notice is gone', async () => (await noticeOf(service)) === undefined);
});
