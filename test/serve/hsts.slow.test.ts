/** Strict-Transport-Security, which depends on who signed the certificate. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generate } from 'selfsigned';
import { createAuthority, type PemPair } from '../support/certificate-authority.ts';
import { writeVersion } from '../support/index-version.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HEADER = 'strict-transport-security';

async function aService(context: TestContext, args: readonly string[] = []): Promise<RunningService> {
  const index = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  return await runService(context, { index, args: ['--threads', '1', '--watch-seconds', '1', ...args] });
}

/** The header in responses of several kinds, if all agree. */
async function hstsOf(service: RunningService): Promise<unknown> {
  const responses = [
    await service.call('/api/1/query', { form: { query: 'alba' } }),
    await service.call('/api/1/query', { form: {}, key: 'wrong' }),
    await service.call('/nothing'),
    await service.call('/api/1/query', { method: 'OPTIONS' }),
    await service.call('/', { method: 'GET' }),
    await service.call('/readyz', { method: 'GET' }),
  ];
  const values = new Set(responses.map(({ headers }) => headers[HEADER]));
  assert.equal(values.size, 1);
  return [...values][0];
}

/** Response to plain HTTP. */
async function plainResponse(port: number, headers: Readonly<Record<string, string>> = {}) {
  const sent = request({ host: '127.0.0.1', port, path: '/healthz', headers, agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response;
}

test('a generated certificate leads to no Strict-Transport-Security', { timeout: 60_000 }, async (context) => {
  assert.equal(await hstsOf(await aService(context)), undefined);
});

test('behind a proxy no Strict-Transport-Security is sent, whatever the proxy says', {
  timeout: 60_000,
}, async (context) => {
  const service = await aService(context, ['--behind-proxy']);
  const response = await plainResponse(Number(new URL(service.ready.url).port), { 'x-forwarded-proto': 'https' });
  assert.deepEqual([response.statusCode, response.headers[HEADER]], [200, undefined]);
});

test('a certificate of an authority leads to Strict-Transport-Security on all responses over TLS', {
  timeout: 60_000,
}, async (context) => {
  const folder = temporaryFolder(context);
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const put = ({ cert, key }: PemPair) => {
    writeFileSync(certPath, cert);
    writeFileSync(keyPath, key);
  };
  const selfSigned = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const authority = await createAuthority('Test authority');
  put({ cert: selfSigned.cert, key: selfSigned.private });
  const service = await aService(context, ['--tls-cert', certPath, '--tls-key', keyPath]);
  // the path where the test client looks for the certificates to trust
  mkdirSync(join(service.state, 'tls'));
  writeFileSync(join(service.state, 'tls', 'cert.pem'), `${selfSigned.cert}\n${authority.cert}`);
  assert.equal(await hstsOf(service), undefined);

  put(await authority.serverPair());
  await service.logged('"msg":"certificate reloaded"');
  assert.equal(await hstsOf(service), 'max-age=15552000');
  const refused = await plainResponse(Number(new URL(service.ready.url).port));
  assert.deepEqual([refused.statusCode, refused.headers[HEADER]], [400, undefined]);

  put({ cert: selfSigned.cert, key: selfSigned.private });
  await service.logged('"msg":"certificate reloaded"', 2);
  assert.equal(await hstsOf(service), undefined);
});

test('--hsts-seconds sets the max-age', { timeout: 60_000 }, async (context) => {
  const folder = temporaryFolder(context);
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const authority = await createAuthority('Test authority');
  const { cert, key } = await authority.serverPair();
  writeFileSync(certPath, cert);
  writeFileSync(keyPath, key);
  const service = await aService(context, ['--tls-cert', certPath, '--tls-key', keyPath, '--hsts-seconds', '0']);
  mkdirSync(join(service.state, 'tls'));
  writeFileSync(join(service.state, 'tls', 'cert.pem'), authority.cert);
  assert.equal(await hstsOf(service), 'max-age=0');
});
