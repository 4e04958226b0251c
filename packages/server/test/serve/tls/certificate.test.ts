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
import { type TestContext, test } from 'node:test';
import { threadId } from 'node:worker_threads';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { UsageError } from 'toponym-files/errors/errors';
import { temporaryPrefix } from 'toponym-files/replace-file';
import { createAuthority, type PemPair } from '../../../../../test/support/certificate-authority.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { stateFolderAt } from '../../../src/serve/state-folder.ts';
import {
  ensureCertificate,
  loadCertificate,
  loadClientAuthorities,
  loadServiceCertificate,
} from '../../../src/serve/tls/certificate.ts';

const DAY_MS = 86_400_000;
const [one, two] = [await createAuthority('One'), await createAuthority('Two')];

/** A folder with a generated pair, and a function that puts another pair in its place. */
async function aGeneratedPair(context: TestContext, now = new Date()) {
  const folder = temporaryFolder(context);
  const made = await ensureCertificate(folder, now);
  const put = ({ cert, key }: PemPair) => {
    writeFileSync(made.certPath, cert);
    writeFileSync(made.keyPath, key);
  };
  return { ...made, folder, put };
}

/** A self-signed pair of an operator. */
async function anOwnPair(daysLeft = 365): Promise<PemPair> {
  const made = await generate([{ name: 'commonName', value: 'example.com' }], {
    keyType: 'ec',
    notBeforeDate: new Date(Date.now() - 30 * DAY_MS),
    notAfterDate: new Date(Date.now() + daysLeft * DAY_MS),
  });
  return { cert: made.cert, key: made.private };
}

/** The warnings of a service that loads the certificate of this state folder. */
async function warningsOf(folder: string, tlsClientCa?: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const state = stateFolderAt(folder);
  await loadServiceCertificate({ tlsCert: undefined, tlsKey: undefined, tlsClientCa, behindProxy: false, state }, log);
  return lines;
}

test('the first start generates an EC P-256 pair for this machine, readable by its owner only; later starts use it', async (context) => {
  const { folder, put: _, ...made } = await aGeneratedPair(context);
  const certificate = new X509Certificate(made.cert);
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  assert.equal(certificate.fingerprint256, made.fingerprint);
  for (const name of ['localhost', hostname()]) assert.ok(certificate.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1']) assert.ok(certificate.checkIP(address), address);
  for (const path of [made.certPath, made.keyPath]) assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(await ensureCertificate(folder, new Date()), made);
});

test('a generated certificate is valid from the day before for 825 days, the maximum of Apple', async (context) => {
  const now = new Date('2026-01-02T03:04:05Z');
  const { validFromDate, validToDate } = new X509Certificate((await aGeneratedPair(context, now)).cert);
  assert.equal(validFromDate.getTime(), now.getTime() - DAY_MS);
  // the last second is part of the validity
  assert.equal(validToDate.getTime() + 1000 - validFromDate.getTime(), 825 * DAY_MS);
});

test('a generated pair that is about to expire is replaced, and the log says why', async (context) => {
  const { folder, fingerprint, validTo, certPath, keyPath } = await aGeneratedPair(
    context,
    new Date(Date.now() - 800 * DAY_MS),
  );
  const [warning, ...others] = await warningsOf(folder);
  assert.equal(warning?.msg, 'the generated certificate is replaced: clients need a copy of the new one');
  assert.equal(warning?.reason, `it expires on ${validTo.toISOString()}`);
  assert.deepEqual(others, []);
  const next = await loadCertificate({ certPath, keyPath });
  assert.notEqual(next.fingerprint, fingerprint);
  assert.ok(next.validTo > validTo);
});

test('a generated pair without a key or with another key is replaced', async (context) => {
  const other = await aGeneratedPair(context);
  const { folder, fingerprint, certPath, keyPath } = await aGeneratedPair(context);
  let last = fingerprint;
  for (const [spoil, expected] of [
    [() => rmSync(keyPath), `${keyPath} is missing`],
    [() => copyFileSync(other.keyPath, keyPath), `${keyPath} does not belong to ${certPath}`],
  ] as const) {
    spoil();
    const reasons: string[] = [];
    const made = await ensureCertificate(folder, new Date(), (reason) => reasons.push(reason));
    assert.deepEqual(reasons, [expected]);
    assert.notEqual(made.fingerprint, last);
    assert.deepEqual(await ensureCertificate(folder, new Date()), made);
    last = made.fingerprint;
  }
});

test("the operator's own pair in the state folder is not replaced; a warning says that it ends within 14 days", async (context) => {
  const { folder, put, certPath } = await aGeneratedPair(context);
  for (const [days, warnings] of [
    [-1, ['the certificate has expired']],
    [13, ['the certificate expires soon']],
    [15, []],
  ] as const) {
    const own = await anOwnPair(days);
    put(own);
    const found = await warningsOf(folder);
    assert.deepEqual(
      found.map(({ msg }) => msg),
      warnings,
    );
    assert.equal(readFileSync(certPath, 'utf8'), own.cert);
  }
});

test('files in the state folder that are damaged, or a key without a certificate, are kept and refuse the start', async (context) => {
  const { folder, certPath, keyPath, key } = await aGeneratedPair(context);
  for (const cert of ['not a pem', (await anOwnPair()).cert]) {
    writeFileSync(certPath, cert);
    await assert.rejects(
      ensureCertificate(folder, new Date()),
      /Delete .*cert\.pem and .*key\.pem to have a new pair generated/,
    );
    assert.deepEqual([readFileSync(certPath, 'utf8'), readFileSync(keyPath, 'utf8')], [cert, key]);
  }
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

test('a certificate is self-signed unless another key signed it', async (context) => {
  const { put, ...generated } = await aGeneratedPair(context);
  assert.equal(generated.isSelfSigned, true);
  const pair = await one.serverPair();
  for (const [isSelfSigned, files] of [
    [false, pair],
    [false, { ...pair, cert: `${pair.cert}\n${one.cert}` }],
    [true, { ...generated, cert: `${generated.cert}\n${one.cert}` }],
    [true, await anOwnPair()],
  ] as const) {
    put(files);
    assert.equal((await loadCertificate(generated)).isSelfSigned, isSelfSigned);
  }
});

test('files that are missing, contain something else or do not belong together are refused by name', async (context) => {
  const { folder, certPath, keyPath } = await aGeneratedPair(context);
  const other = await aGeneratedPair(context);
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'not a pem');
  for (const [files, part] of [
    [{ certPath: text, keyPath }, text],
    [{ certPath, keyPath: text }, text],
    [{ certPath: join(folder, 'none.pem'), keyPath }, 'none.pem'],
    [
      { certPath, keyPath: other.keyPath },
      `The TLS key ${other.keyPath} does not belong to the certificate ${certPath}.`,
    ],
  ] as const) {
    await assert.rejects(
      loadCertificate(files),
      (error) => error instanceof UsageError && error.message.includes(part),
    );
  }
});

test('a file may hold several authorities of clients, with text between them; an expired one is logged by name', async (context) => {
  const { folder } = await aGeneratedPair(context);
  const path = join(folder, 'ca.pem');
  const old = await createAuthority('Old', { notAfterDate: new Date(Date.now() - 1000) });
  const text = `# One\n${one.cert}\n\n# Old\n${old.cert}\n`;
  writeFileSync(path, text);
  assert.equal(loadClientAuthorities(path).pem, text);
  const found = await warningsOf(folder, path);
  assert.deepEqual(
    found.map(({ msg, subject, path: file }) => [msg, subject, file]),
    [['an authority of clients has expired', 'CN=Old', path]],
  );
});

test('a file that does not hold authorities of clients is refused by name', async (context) => {
  const client = await one.clientPair();
  const path = join(temporaryFolder(context), 'ca.pem');
  assert.throws(() => loadClientAuthorities(path), {
    name: 'UsageError',
    message: /^The TLS client authorities \S+ca\.pem cannot be read: /,
  });
  const cutOff = two.cert.slice(0, -60);
  for (const [text, message] of [
    ['', / does not hold a certificate in PEM form\.$/],
    [client.key, / does not hold a certificate in PEM form\.$/],
    [cutOff, /, certificate 1: not valid in PEM form \(/],
    [`${one.cert}\n${cutOff}`, /, certificate 2: not valid in PEM form \(/],
    [
      `${one.cert}\n${client.cert}`,
      /, certificate 2 \(CN=a client\) is not the certificate of an authority\. Give the certificate that signs those of the clients\.$/,
    ],
  ] as const) {
    writeFileSync(path, text);
    assert.throws(
      () => loadClientAuthorities(path),
      (error) => error instanceof UsageError && error.message.startsWith(path) && message.test(error.message),
    );
  }
});
