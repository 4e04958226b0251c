/** New certificates for a running service, also those that OpenSSL refuses although they look valid. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { UsageError } from 'toponym-files/errors/errors';
import { createAuthority, type PemPair } from '../../../../test/support/certificate-authority.ts';
import { untilNoNotice, untilNotice, untilReloadProblem } from '../../../../test/support/readiness.ts';
import { type InProcessService, startInProcess } from '../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { ensureCertificate, loadCertificate } from '../../src/serve/tls/certificate.ts';

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

test('a reload uses a new certificate, and keeps the old one in use if the new one is unusable', async (context) => {
  const { good, bad } = await somePairs(context);
  const next = await ensureCertificate(temporaryFolder(context), new Date());
  const { certPath, keyPath, put } = certificateFiles(context);
  put({ cert: next.cert, key: next.key });
  const service = await startInProcess(context, {
    ...{ threads: 2, hstsSeconds: 0 },
    ...{ tlsCert: certPath, tlsKey: keyPath },
  });
  const served = async () => {
    const found = new Set<string>();
    for (let i = 0; i < 4; i++) found.add(await servedFingerprint(service.url));
    return [...found];
  };
  assert.deepEqual(await served(), [next.fingerprint]);
  put({ cert: good.cert, key: good.key });
  await service.reload();
  assert.deepEqual(await served(), [good.fingerprint]);
  copyFileSync(good.certPath, join(service.state, 'tls', 'cert.pem')); // for the test's client
  const long = bad['a chain too long for a handshake'];
  put({ cert: readFileSync(long.certPath, 'utf8'), key: readFileSync(long.keyPath, 'utf8') });
  await service.reload();
  await service.logged('certificate not reloaded');
  assert.deepEqual(await served(), [good.fingerprint]);
  rmSync(certPath);
  execFileSync('mkfifo', [certPath]);
  await service.reload();
  await service.logged(`${certPath} cannot be read: a pipe, not a file`);
  await untilNotice(service, /^certificate not reloaded; the log says why$/);
  assert.equal(await hstsOf(service), undefined);

  const authority = await createAuthority('Test authority');
  rmSync(certPath);
  put(await authority.serverPair());
  await service.reload();
  writeFileSync(join(service.state, 'tls', 'cert.pem'), authority.cert); // for the test's client
  assert.equal(await hstsOf(service), 'max-age=0', 'hstsSeconds sets it');
});

test('changed certificate files are noticed: new connections use them, and kept connections go on', async (context) => {
  const authority = await createAuthority('Test authority');
  const { certPath, keyPath, put } = certificateFiles(context);
  put(await authority.serverPair());
  const service = await startInProcess(context, {
    ...{ threads: 2, watchSeconds: 0.2, metricsPort: 0 },
    ...{ tlsCert: certPath, tlsKey: keyPath },
  });
  const selfSigned = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  // for the test's client
  writeFileSync(join(service.state, 'tls', 'cert.pem'), `${selfSigned.cert}\n${authority.cert}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  context.after(() => agent.destroy());
  const call = async () => (await service.call('/api/1/query', { form: {}, agent })).status;
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
  for (let i = 0; i < 4; i++) assert.equal(await servedFingerprint(service.url), fingerprint256);
  assert.doesNotMatch(service.log(), /not reloaded|"msg":"index reloaded"/);

  put({ cert: next.cert.slice(0, -60) });
  await untilNotice(service, /^certificate not reloaded; the log says why$/);
  await untilReloadProblem(service, true);
  for (let i = 0; i < 4; i++) assert.equal(await servedFingerprint(service.url), fingerprint256);
  assert.equal(service.log().match(/certificate not reloaded/g)?.length, 1);

  put(next);
  await untilNoNotice(service);
  await untilReloadProblem(service, false);
  assert.equal(await call(), 200);
  assert.deepEqual(Object.values(agent.freeSockets).flat(), [kept]);

  await context.test(
    'a certificate of an authority leads to Strict-Transport-Security on all responses over TLS',
    async () => {
      assert.equal(await hstsOf(service), 'max-age=15552000');
      const { port } = new URL(service.url);
      const plain = request({ host: '127.0.0.1', port, path: '/healthz', agent: false }).end();
      const [refused] = await once(plain, 'response');
      refused.resume();
      assert.deepEqual([refused.statusCode, refused.headers[HSTS]], [400, undefined]);

      const reloads = () => service.log().match(/"msg":"certificate reloaded"/g)?.length ?? 0;
      const before = reloads();
      put({ cert: selfSigned.cert, key: selfSigned.private });
      await service.logged('"msg":"certificate reloaded"', before + 1);
      assert.equal(await hstsOf(service), undefined);

      put(next);
      await service.logged('"msg":"certificate reloaded"', before + 2);
      assert.equal(await hstsOf(service), 'max-age=15552000');
    },
  );
});

/** The paths of a pair that a service watches, and a function that replaces one or both of its files. */
function certificateFiles(context: TestContext) {
  const folder = temporaryFolder(context);
  const certPath = join(folder, 'cert.pem');
  const keyPath = join(folder, 'key.pem');
  const put = ({ cert, key }: Partial<PemPair>) => {
    if (cert !== undefined) writeFileSync(certPath, cert);
    if (key !== undefined) writeFileSync(keyPath, key);
  };
  return { certPath, keyPath, put };
}

async function servedFingerprint(url: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

const HSTS = 'strict-transport-security';

/** The header in responses of several kinds, if all agree. */
async function hstsOf(service: InProcessService): Promise<unknown> {
  const responses = [
    await service.call('/api/1/query', { form: { query: 'alba' } }),
    await service.call('/api/1/query', { form: {}, key: 'wrong' }),
    await service.call('/nothing'),
    await service.call('/api/1/query', { method: 'OPTIONS' }),
    await service.call('/', { method: 'GET' }),
    await service.call('/readyz', { method: 'GET' }),
  ];
  const values = new Set(responses.map(({ headers }) => headers[HSTS]));
  assert.equal(values.size, 1);
  return [...values][0];
}
