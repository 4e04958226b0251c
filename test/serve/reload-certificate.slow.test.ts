/** New certificates for a running service, also those that OpenSSL refuses although they look valid. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { UsageError } from '../../src/errors/usage-error.ts';
import { ensureCertificate, loadCertificate } from '../../src/serve/tls/certificate.ts';
import { createAuthority, type PemPair } from '../support/certificate-authority.ts';
import { writeVersion } from '../support/index-version.ts';
import { untilNoNotice, untilNotice } from '../support/readiness.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 86_400_000;

interface Pair {
  readonly certPath: string;
  readonly keyPath: string;
}

/** A good pair, and the results of interrupted or careless renewals. */
async function somePairs(context: TestContext) {
  const folder = temporaryFolder(context);
  const good = await ensureCertificate(folder, new Date());
  const chain = `${good.cert.trim()}\n${good.cert.trim()}\n`;
  const write = (name: string, cert: string, key = good.key): Pair => {
    const pair = { certPath: join(folder, `${name}.pem`), keyPath: join(folder, `${name}.key`) };
    writeFileSync(pair.certPath, cert);
    writeFileSync(pair.keyPath, key);
    return pair;
  };
  const weak = await generate([{ name: 'commonName', value: 'weak' }], { keyType: 'rsa', keySize: 512 });
  return {
    good,
    bad: {
      'a chain that was cut off': write('cut', chain.slice(0, -100)),
      'a second block that is no certificate': write(
        'malformed',
        `${good.cert.trim()}\n-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n`,
      ),
      'a 512-bit key': write('weak', weak.cert, weak.private),
      'a chain too long for a handshake': write('long', `${good.cert.trim()}\n`.repeat(400)),
    },
  };
}

test('a certificate that cannot be used for TLS is refused by name', async (context) => {
  const { bad } = await somePairs(context);
  for (const [what, pair] of Object.entries(bad)) {
    await assert.rejects(
      async () => await loadCertificate(pair),
      (error) => error instanceof UsageError && error.message.includes(pair.certPath),
      what,
    );
  }
});

test('SIGHUP with an unusable certificate keeps the old one in use', {
  timeout: 60_000,
}, async (context) => {
  const { good, bad } = await somePairs(context);
  const certPath = join(temporaryFolder(context), 'cert.pem');
  const keyPath = `${certPath}.key`;
  const put = (pair: Pair) => {
    copyFileSync(pair.certPath, certPath);
    copyFileSync(pair.keyPath, keyPath);
  };
  put(good);
  const service = await runService(context, {
    args: ['--threads', '2', '--tls-cert', certPath, '--tls-key', keyPath],
  });
  // the path where the test client looks for the certificate to trust
  mkdirSync(join(service.state, 'tls'));
  copyFileSync(good.certPath, join(service.state, 'tls', 'cert.pem'));
  for (const [what, pair] of Object.entries(bad)) {
    put(pair);
    service.child.kill('SIGHUP');
    await service.logged('certificate not reloaded', Object.values(bad).indexOf(pair) + 1);
    for (let i = 0; i < 4; i++) assert.equal(await servedFingerprint(service.ready.url), good.fingerprint, what);
  }
  await untilNotice(service, /^certificate not reloaded; the log says why$/);
  assert.doesNotMatch(service.log(), /a thread failed/);
});

test('changed certificate files are noticed: new connections use them, and kept connections go on', {
  timeout: 60_000,
}, async (context) => {
  const folder = temporaryFolder(context);
  const index = join(folder, 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  const authority = await createAuthority('Test authority');
  const certPath = join(folder, 'cert.pem');
  const keyPath = join(folder, 'key.pem');
  const put = ({ cert, key }: Partial<PemPair>) => {
    if (cert !== undefined) writeFileSync(certPath, cert);
    if (key !== undefined) writeFileSync(keyPath, key);
  };
  put(await authority.serverPair());
  const service = await runService(context, {
    index,
    args: [
      ...['--threads', '2', '--watch-seconds', '1', '--metrics-port', '0'],
      ...['--tls-cert', certPath, '--tls-key', keyPath],
    ],
  });
  // the path where the test client looks for the certificate to trust
  mkdirSync(join(service.state, 'tls'));
  writeFileSync(join(service.state, 'tls', 'cert.pem'), authority.cert);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  context.after(() => agent.destroy());
  const call = async () => (await service.call('/api/1/query', { form: {}, agent })).status;
  const reloadProblem = async () =>
    /^toponym_reload_problem (\d)$/m.exec(await (await fetch(service.ready.metricsUrl ?? '')).text())?.[1];
  assert.equal(await call(), 200);
  const [kept] = Object.values(agent.freeSockets).flat();
  assert.ok(kept);

  // a tool that needs some time between its two files
  const next = await authority.serverPair();
  const { fingerprint256 } = new X509Certificate(next.cert);
  put({ cert: next.cert });
  await service.logged('the changed certificate files cannot be used yet');
  put({ key: next.key });
  await service.logged('"msg":"certificate reloaded"');
  for (let i = 0; i < 4; i++) assert.equal(await servedFingerprint(service.ready.url), fingerprint256);
  assert.doesNotMatch(service.log(), /not reloaded|"msg":"reloaded"/);

  put({ cert: next.cert.slice(0, -60) });
  await untilNotice(service, /^certificate not reloaded; the log says why$/);
  assert.equal(await reloadProblem(), '1');
  for (let i = 0; i < 4; i++) assert.equal(await servedFingerprint(service.ready.url), fingerprint256);
  assert.equal(service.log().match(/certificate not reloaded/g)?.length, 1);

  put(next);
  await untilNoNotice(service);
  assert.equal(await reloadProblem(), '0');
  assert.equal(await call(), 200);
  assert.deepEqual(Object.values(agent.freeSockets).flat(), [kept]);
});

async function servedFingerprint(url: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

for (const [days, words] of [
  [-1, 'has expired'],
  [13, 'expires soon'],
  [15, undefined],
] as const) {
  test(`a start and a reload ${words ? `warn that a certificate ${words}` : 'accept a certificate'} (${days} days left)`, {
    timeout: 60_000,
  }, async (context) => {
    const folder = temporaryFolder(context);
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      notBeforeDate: new Date(Date.now() - 30 * DAY_MS),
      notAfterDate: new Date(Date.now() + days * DAY_MS),
    });
    const [certPath, keyPath, index] = ['cert.pem', 'key.pem', 'data.toponym'].map((name) => join(folder, name));
    assert.ok(certPath && keyPath && index);
    writeFileSync(certPath, made.cert);
    writeFileSync(keyPath, made.private);
    await writeVersion(index, 'one', ['Alba']);
    const args = ['--threads', '1', '--tls-cert', certPath, '--tls-key', keyPath];
    const service = await runService(context, { index, args });
    service.child.kill('SIGHUP');
    await service.logged('"msg":"reloaded"');
    const warnings = service.log().match(/the certificate (has expired|expires soon)/g) ?? [];
    assert.deepEqual(warnings, words ? Array(2).fill(`the certificate ${words}`) : []);
  });
}
