import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { threadId } from 'node:worker_threads';
import { generate } from 'selfsigned';
import { UsageError } from '../../../src/errors/errors.ts';
import { temporaryPrefix } from '../../../src/files/replace-file.ts';
import type { Logger } from '../../../src/serve/log.ts';
import type { StateFolder } from '../../../src/serve/state/state-folder.ts';
import { ensureCertificate, loadCertificate } from '../../../src/serve/tls/certificate.ts';
import { loadServiceCertificate } from '../../../src/serve/tls/service-certificate.ts';
import { createAuthority, type PemPair } from '../../support/certificate-authority.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 86_400_000;

test('the first start generates an EC P-256 pair for this machine, readable by its owner only', async (context) => {
  const made = await ensureCertificate(temporaryFolder(context), new Date());
  const certificate = new X509Certificate(made.cert);
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  assert.equal(certificate.fingerprint256, made.fingerprint);
  for (const name of ['localhost', hostname()]) assert.ok(certificate.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1']) assert.ok(certificate.checkIP(address), address);
  for (const path of [made.certPath, made.keyPath]) assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a generated certificate is valid from the day before for 825 days, the maximum of Apple', async (context) => {
  const now = new Date('2026-01-02T03:04:05Z');
  const { validFromDate, validToDate } = new X509Certificate(
    (await ensureCertificate(temporaryFolder(context), now)).cert,
  );
  assert.equal(validFromDate.getTime(), now.getTime() - DAY_MS);
  // the last second is part of the validity
  assert.equal(validToDate.getTime() + 1000 - validFromDate.getTime(), 825 * DAY_MS);
});

test('later starts use the same pair', async (context) => {
  const folder = temporaryFolder(context);
  const first = await ensureCertificate(folder, new Date());
  assert.deepEqual(await ensureCertificate(folder, new Date()), first);
});

test('a pair that is about to expire is replaced', async (context) => {
  const folder = temporaryFolder(context);
  const now = new Date();
  const first = await ensureCertificate(folder, now);
  const almostExpired = new Date(first.validTo.getTime() - 10 * DAY_MS);
  const second = await ensureCertificate(folder, almostExpired);
  assert.notEqual(second.fingerprint, first.fingerprint);
  assert.ok(second.validTo.getTime() > first.validTo.getTime());
});

test('a service that replaces its generated pair says why, because clients may trust only the old one', async (context) => {
  const folder = temporaryFolder(context);
  const { validTo } = await ensureCertificate(folder, new Date(Date.now() - 800 * DAY_MS));
  const warnings: unknown[] = [];
  const log = { warn: (fields: object, message: string) => warnings.push({ ...fields, message }) } as unknown as Logger;
  const state = { path: folder } as StateFolder;
  const settings = { tlsCert: undefined, tlsKey: undefined, tlsClientCa: undefined, behindProxy: false, state };
  await loadServiceCertificate(settings, log);
  const message = 'the generated certificate is replaced: clients need a copy of the new one';
  assert.deepEqual(warnings, [{ reason: `it expires on ${validTo.toISOString()}`, message }]);
});

test('an authority of clients that has expired is logged by name, and a valid one is not', async (context) => {
  const folder = temporaryFolder(context);
  const tlsClientCa = join(folder, 'ca.pem');
  const old = await createAuthority('Old', { notAfterDate: new Date(Date.now() - 1000) });
  writeFileSync(tlsClientCa, `${old.cert}\n${(await createAuthority('New')).cert}`);
  const warnings: unknown[] = [];
  const log = { warn: (fields: object, message: string) => warnings.push({ ...fields, message }) } as unknown as Logger;
  const state = { path: folder } as StateFolder;
  await loadServiceCertificate({ tlsCert: undefined, tlsKey: undefined, tlsClientCa, behindProxy: false, state }, log);
  assert.deepEqual(
    warnings.map((each) => ({ ...(each as object), validTo: undefined })),
    [{ path: tlsClientCa, subject: 'CN=Old', validTo: undefined, message: 'an authority of clients has expired' }],
  );
});

test("the operator's own pair in the state folder is not replaced when it expires", async (context) => {
  const folder = temporaryFolder(context);
  const { certPath, keyPath } = await ensureCertificate(folder, new Date());
  const own = await generate([{ name: 'commonName', value: 'example.com' }], { keyType: 'ec' });
  writeFileSync(certPath, own.cert);
  writeFileSync(keyPath, own.private);
  const { validTo, fingerprint } = await loadCertificate({ certPath, keyPath });
  assert.equal((await ensureCertificate(folder, validTo)).fingerprint, fingerprint);
});

test("the expiry of the operator's own pair in the state folder is logged", async (context) => {
  const folder = temporaryFolder(context);
  const { certPath, keyPath } = await ensureCertificate(folder, new Date());
  const notAfterDate = new Date(Date.now() + 10 * DAY_MS);
  const own = await generate([{ name: 'commonName', value: 'example.com' }], { keyType: 'ec', notAfterDate });
  writeFileSync(certPath, own.cert);
  writeFileSync(keyPath, own.private);
  const warnings: string[] = [];
  const log = { warn: (_: object, message: string) => warnings.push(message) } as unknown as Logger;
  const state = { path: folder } as StateFolder;
  const settings = { tlsCert: undefined, tlsKey: undefined, tlsClientCa: undefined, behindProxy: false, state };
  await loadServiceCertificate(settings, log);
  assert.deepEqual(warnings, ['the certificate expires soon']);
});

test('a certificate is self-signed unless another key signed it', async (context) => {
  const folder = temporaryFolder(context);
  const certPath = join(folder, 'cert.pem');
  const keyPath = join(folder, 'key.pem');
  const isSelfSigned = async ({ cert, key }: PemPair) => {
    writeFileSync(certPath, cert);
    writeFileSync(keyPath, key);
    return (await loadCertificate({ certPath, keyPath })).isSelfSigned;
  };
  const authority = await createAuthority('Test authority');
  const pair = await authority.serverPair();
  assert.equal(await isSelfSigned(pair), false);
  assert.equal(await isSelfSigned({ ...pair, cert: `${pair.cert}\n${authority.cert}` }), false);
  const generated = await ensureCertificate(folder, new Date());
  assert.equal(generated.isSelfSigned, true);
  assert.equal(await isSelfSigned({ ...generated, cert: `${generated.cert}\n${authority.cert}` }), true);
  const own = await generate([{ name: 'commonName', value: 'example.com' }], { keyType: 'ec' });
  assert.equal(await isSelfSigned({ cert: own.cert, key: own.private }), true);
});

test('a certificate and a key that do not belong together are refused by name', async (context) => {
  const one = await ensureCertificate(temporaryFolder(context), new Date());
  const other = await ensureCertificate(temporaryFolder(context), new Date());
  await assert.rejects(
    loadCertificate({ certPath: one.certPath, keyPath: other.keyPath }),
    new UsageError(`The TLS key ${other.keyPath} does not belong to the certificate ${one.certPath}.`),
  );
});

test('files that are missing or contain something else are refused by name', async (context) => {
  const folder = temporaryFolder(context);
  const { certPath, keyPath } = await ensureCertificate(folder, new Date());
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'not a pem');
  for (const [files, name] of [
    [{ certPath: text, keyPath }, text],
    [{ certPath, keyPath: text }, text],
    [{ certPath: join(folder, 'none.pem'), keyPath }, 'none.pem'],
  ] as const) {
    await assert.rejects(
      loadCertificate(files),
      (error) => error instanceof UsageError && error.message.includes(name),
    );
  }
});

test('a generated pair without a key or with another key is replaced', async (context) => {
  const folder = temporaryFolder(context);
  const other = await ensureCertificate(temporaryFolder(context), new Date());
  let last = await ensureCertificate(folder, new Date());
  const { certPath, keyPath } = last;
  for (const [spoil, expected] of [
    [() => rmSync(keyPath), `${keyPath} is missing`],
    [() => copyFileSync(other.keyPath, keyPath), `${keyPath} does not belong to ${certPath}`],
  ] as const) {
    spoil();
    const reasons: string[] = [];
    const made = await ensureCertificate(folder, new Date(), (reason) => reasons.push(reason));
    assert.deepEqual(reasons, [expected]);
    assert.notEqual(made.fingerprint, last.fingerprint);
    assert.deepEqual(await ensureCertificate(folder, new Date()), made);
    last = made;
  }
});

test('a key without a certificate is kept, and the start refused', async (context) => {
  const folder = temporaryFolder(context);
  const { certPath, keyPath, key } = await ensureCertificate(folder, new Date());
  rmSync(certPath);
  await assert.rejects(
    ensureCertificate(folder, new Date()),
    new UsageError(
      `${certPath} is missing, and a new pair would replace the key ${keyPath}. Add the certificate of this key, or delete the key to have a new pair generated.`,
    ),
  );
  assert.deepEqual([readFileSync(keyPath, 'utf8'), existsSync(certPath)], [key, false]);
});

test('a start that could not write the certificate leaves no key, so the next start generates a pair', async (context) => {
  const folder = temporaryFolder(context);
  const obstacle = join(folder, 'tls', `${temporaryPrefix('cert.pem')}${process.pid}-${threadId}-0a.tmp`);
  mkdirSync(obstacle, { recursive: true });
  await assert.rejects(ensureCertificate(folder, new Date()), /The generated certificate cannot be written/);
  rmdirSync(obstacle);
  await ensureCertificate(folder, new Date());
  const other = temporaryFolder(context);
  symlinkSync(join(other, 'tls'), join(other, 'tls'));
  await assert.rejects(ensureCertificate(other, new Date()), {
    name: 'UsageError',
    message: `The generated certificate cannot be written: ${join(other, 'tls')} is not a folder.`,
  });
});

test('files in the state folder that are damaged or were not generated by the service are not replaced', async (context) => {
  const folder = temporaryFolder(context);
  const { certPath, keyPath } = await ensureCertificate(folder, new Date());
  const foreign = await generate([{ name: 'commonName', value: 'example.com' }], { keyType: 'ec' });
  for (const cert of ['not a pem', foreign.cert]) {
    writeFileSync(certPath, cert);
    const key = readFileSync(keyPath, 'utf8');
    await assert.rejects(
      ensureCertificate(folder, new Date()),
      /Delete .*cert\.pem and .*key\.pem to have a new pair generated/,
    );
    assert.deepEqual([readFileSync(certPath, 'utf8'), readFileSync(keyPath, 'utf8')], [cert, key]);
  }
});
