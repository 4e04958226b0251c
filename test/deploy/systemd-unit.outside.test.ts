import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureCertificate } from 'toponym-server/serve/tls/certificate';
import { writeZip } from '../../packages/gazetteer/test/sources/input/write-zip.ts';
import { waitUntil } from '../support/deadline.ts';
import { TEST_CACHE } from '../support/environment.ts';
import { writeVersion } from '../support/index-version.ts';
import { outsideProgram } from '../support/outside-programs.ts';
import { type BootedUnit, bootUnit, whyNotBootable } from '../support/systemd/booted-unit.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const UNIT = fileURLToPath(new URL('../../deploy/systemd/toponym.service', import.meta.url));
const UPDATE_UNIT = fileURLToPath(new URL('../../deploy/systemd/toponym-update.service', import.meta.url));
const UPDATE_TIMER = fileURLToPath(new URL('../../deploy/systemd/toponym-update.timer', import.meta.url));
const DROP_IN = fileURLToPath(new URL('../../deploy/systemd/public.conf', import.meta.url));
const GEONAMES = fileURLToPath(new URL('../fixtures/sources/geonames', import.meta.url));
/** Between two calls of systemctl, each of which starts processes. */
const SYSTEMCTL_PAUSE_MS = 100;
const { path: systemdAnalyze, skip } = outsideProgram('systemd-analyze');
const skipBoot = await whyNotBootable();

test('systemd finds no mistake in the units', { skip }, () => {
  const { status, stderr } = spawnSync(systemdAnalyze, ['verify', UNIT, UPDATE_UNIT, UPDATE_TIMER], {
    encoding: 'utf8',
  });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
});

test('systemd rates the exposure of the units below 2.0', { skip }, () => {
  for (const unit of [UNIT, UPDATE_UNIT]) {
    const args = ['security', '--offline=true', '--threshold=19', '--no-pager', unit]; // 19 means 1.9
    const { status, stdout } = spawnSync(systemdAnalyze, args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    assert.match(stdout, /Overall exposure level for toponym(-update)?.service: [01]\.\d OK/);
  }
});

test('systemd runs the service with all its restrictions', { skip: skipBoot }, async (t) => {
  // systemd sees the repository, but not the temporary folders of this machine
  const folder = join(TEST_CACHE, `systemd-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  t.after(() => rmSync(folder, { recursive: true }));
  await writeVersion(join(folder, 'small.toponym'), 'small', ['Paris']);
  const index = relative(REPOSITORY, join(folder, 'small.toponym'));
  const unit = await bootUnit(
    t,
    UNIT,
    `[Service]
Environment=TOPONYM_INDEX=/opt/toponym/${index} TOPONYM_IP_DATABASE=none TOPONYM_LOG_LEVEL=info
StandardOutput=truncate:/run/ready
StandardError=truncate:/run/log
`,
  );
  await t.test('it answers searches', async () => {
    const { url } = await readyLine(unit);
    assert.equal(url, 'https://127.0.0.1:8443');
    const key = unit.read('/var/lib/toponym/first-key.txt').trim();
    assert.equal(await search(unit, url, key), 'Paris');
  });

  await t.test('it has no privileges', async () => {
    const status = unit.read(`/proc/${await unit.property('MainPID')}/status`);
    assert.match(status, /^CapBnd:\t0+$/m);
    assert.match(status, /^NoNewPrivs:\t1$/m);
    assert.match(status, /^Seccomp:\t2$/m);
    assert.doesNotMatch(status, /^Uid:\t0/m);
  });

  await t.test('root creates keys for it', async () => {
    const key = await createKey(unit);
    assert.equal(await search(unit, 'https://127.0.0.1:8443', key), 'Paris');
  });

  await t.test('it reloads its data', async () => {
    await unit.run('systemctl', 'reload', 'toponym.service');
    await waitUntil('the log says so', () => unit.read('/run/log').includes('"msg":"index reloaded"'));
  });

  await t.test('it is started again after a crash', async () => {
    const pid = Number(await unit.property('MainPID'));
    await unit.run('systemctl', 'kill', '--signal=KILL', 'toponym.service');
    await waitUntil('another process is ready', () => {
      const line = unit.read('/run/ready');
      return line.endsWith('\n') && JSON.parse(line).pid !== pid;
    });
    const { url } = await readyLine(unit);
    assert.equal(await search(unit, url, unit.read('/var/lib/toponym/first-key.txt').trim()), 'Paris');
  });

  await t.test('it stops when asked', async () => {
    await unit.run('systemctl', 'stop', 'toponym.service');
    assert.equal(await unit.property('Result'), 'success');
    assert.equal(await unit.property('ExecMainStatus'), '0');
  });

  await t.test('it starts with a key store that root has created before its first start', async () => {
    await unit.run('sh', '-c', 'rm -r /var/lib/toponym/*');
    const key = await createKey(unit);
    await unit.run('systemctl', 'start', 'toponym.service');
    const { url } = await readyLine(unit);
    assert.equal(await search(unit, url, key), 'Paris');
  });

  await t.test('the update unit builds an index in the state folder, and the service serves it', async () => {
    await serveDump(unit);
    unit.write('/run/systemd/system/toponym-update.service', readFileSync(UPDATE_UNIT));
    unit.write(
      '/run/systemd/system/toponym-update.service.d/test.conf',
      '[Service]\nEnvironment=TOPONYM_SOURCE_URL=http://127.0.0.1:8000/\nStandardError=truncate:/run/update-log\n',
    );
    await unit.run('systemctl', 'daemon-reload');
    await unit.run('systemctl', 'start', 'toponym-update.service').catch(() => {
      throw new Error(unit.read('/run/update-log'));
    });
    unit.write(
      '/run/systemd/system/toponym.service.d/updated.conf',
      '[Service]\nEnvironment=TOPONYM_INDEX=\n', // empty, as without this test
    );
    await unit.run('systemctl', 'daemon-reload');
    await unit.run('systemctl', 'restart', 'toponym.service');
    const { url } = await readyLine(unit);
    const key = await createKey(unit);
    assert.equal(await search(unit, url, key, 'Oberbach'), 'Oberbach');
    await unit.run('rm', '/run/systemd/system/toponym.service.d/updated.conf');
    await unit.run('systemctl', 'stop', 'toponym.service');
  });

  await t.test('a wrong setting ends it, without another start', async () => {
    unit.write('/etc/toponym/toponym.env', 'TOPONYM_THREADS=many\n');
    await unit.run('systemctl', 'daemon-reload');
    await unit.run('systemctl', 'start', 'toponym.service');
    await waitUntil('the service has failed', async () => {
      await pause(SYSTEMCTL_PAUSE_MS);
      return (await unit.property('ActiveState')) === 'failed';
    });
    assert.deepEqual([await unit.property('ExecMainStatus'), await unit.property('NRestarts')], ['2', '0']);
    await unit.run('rm', '/etc/toponym/toponym.env');
  });

  await t.test('it serves on port 443 with a certificate that only root can read', async (t) => {
    const { cert, key } = await ensureCertificate(temporaryFolder(t), new Date());
    unit.write('/run/tls/fullchain.pem', cert);
    unit.write('/run/tls/privkey.pem', key);
    const dropIn = readFileSync(DROP_IN, 'utf8').replaceAll('/etc/letsencrypt/live/places.example.com', '/run/tls');
    unit.write('/run/systemd/system/toponym.service.d/public.conf', dropIn);
    await unit.run('systemctl', 'daemon-reload');
    await unit.run('systemctl', 'start', 'toponym.service');
    const { url } = await readyLine(unit);
    assert.equal(new URL(url).port, '', 'the default port of HTTPS');
    const script = `const socket = require('node:tls').connect(443, '127.0.0.1', { rejectUnauthorized: false }, () => {
      console.log(socket.getPeerX509Certificate().fingerprint256);
      socket.destroy();
    })`;
    const fingerprint = await unit.run('/usr/local/bin/node', '--eval', script);
    assert.equal(fingerprint.trim(), new X509Certificate(cert).fingerprint256);
  });
});

async function readyLine(unit: BootedUnit): Promise<{ readonly url: string; readonly pid: number }> {
  await waitUntil('the service is ready', async () => {
    if (unit.read('/run/ready').endsWith('\n')) return true;
    if ((await unit.property('Result')) !== 'success') throw new Error(`the service failed:\n${unit.read('/run/log')}`);
    await pause(SYSTEMCTL_PAUSE_MS);
    return false;
  });
  return JSON.parse(unit.read('/run/ready'));
}

/** Root creates a key for the service. */
async function createKey(unit: BootedUnit): Promise<string> {
  const created = await unit.run(
    ...(['toponym', 'keys', 'create', '--label', 'test', '--json', '--state', '/var/lib/toponym'] as const),
  );
  return JSON.parse(created).key;
}

/** Serves a small dump folder of GeoNames on port 8000 in the network of systemd. */
async function serveDump(unit: BootedUnit): Promise<void> {
  const tables = ['admin1CodesASCII.txt', 'admin2Codes.txt', 'countryInfo.txt'];
  for (const name of tables) unit.write(`/run/dump/${name}`, readFileSync(join(GEONAMES, name)));
  const places = readFileSync(join(GEONAMES, 'LI.txt'));
  unit.write('/run/dump/cities500.zip', writeZip({ name: 'cities500.txt', content: places }));
  const script = `require('node:http').createServer((request, response) => {
      const content = require('node:fs').readFileSync('/run/dump' + request.url);
      response.writeHead(200, { 'content-length': content.length, etag: '"1"' }).end(content);
    }).listen(8000, '127.0.0.1', () => console.log('ready'))`;
  unit.write('/run/dump/server.cjs', script);
  unit.write(
    '/run/systemd/system/dump.service',
    '[Service]\nExecStart=/usr/local/bin/node /run/dump/server.cjs\nStandardOutput=truncate:/run/dump-ready\n',
  );
  await unit.run('systemctl', 'daemon-reload');
  await unit.run('systemctl', 'start', 'dump.service');
  await waitUntil('the dump is served', () => unit.read('/run/dump-ready') === 'ready\n');
}

/** Searches in the network of systemd and returns the name of the first hit. */
async function search(unit: BootedUnit, url: string, key: string, query = 'paris'): Promise<string> {
  const body = await unit.run(
    '/usr/local/bin/node',
    '--input-type=module',
    '--eval',
    `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    process.removeAllListeners('warning');
    const headers = { 'x-service-key': ${JSON.stringify(key)} };
    const response = await fetch('${url}/api/1/query', { method: 'POST', headers, body: new URLSearchParams({ query: ${JSON.stringify(query)} }) });
    console.log(await response.text());`,
  );
  return JSON.parse(body).hits[0].name;
}
