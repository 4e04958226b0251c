import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generate } from 'selfsigned';
import { ensureCertificate, generatedFiles } from '../../../src/serve/tls/certificate.ts';
import { createAuthority, type PemPair } from '../../support/certificate-authority.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, textOf } from './a-context.ts';

const DAY_MS = 86_400_000;
const authority = await createAuthority('Test Authority');

function writePair(context: TestContext, { cert, key }: PemPair) {
  const folder = temporaryFolder(context);
  const files = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
  writeFileSync(files.tlsCert, cert);
  writeFileSync(files.tlsKey, key, { mode: 0o600 });
  return files;
}

async function examine(context: TestContext, flags: Record<string, string>, now?: Date): Promise<string> {
  return await textOf('certificate', aContext(context, { flags, now }));
}

test('a pair of an authority is ok, with its names, authority and end', async (context) => {
  const flags = writePair(context, await authority.serverPair());
  const found = await examine(context, flags);
  assert.match(found, /^ok: .*cert\.pem for localhost, 127\.0\.0\.1, signed by CN=Test Authority, until 20\d\d-/);
});

test('a certificate warns 30 days before its end and is a problem after it', async (context) => {
  const flags = writePair(context, await authority.serverPair());
  const [, end = ''] = /until (\S+) /.exec(await examine(context, flags)) ?? [];
  const at = async (days: number) => await examine(context, flags, new Date(Date.parse(end) + days * DAY_MS));
  assert.match(await at(-32), /^ok: /);
  assert.match(await at(-20), /^warning: .* -> Renew it/);
  assert.match(await at(2), /^problem: .*: expired on .* -> Renew it/);
  assert.match(await at(-2000), /^problem: .* is valid only from .* -> Check the clock/);
});

test('a key that does not match and a missing file are problems, an open key is a warning', async (context) => {
  const flags = writePair(context, await authority.serverPair());
  const other = writePair(context, await authority.serverPair());
  assert.match(await examine(context, { ...flags, tlsKey: other.tlsKey }), /^problem: .*does not belong to/);
  assert.match(
    await examine(context, { ...flags, tlsCert: '/missing' }),
    /^problem: .*cannot be read.* -> Name a certificate/,
  );
  chmodSync(flags.tlsKey, 0o644);
  assert.match(await examine(context, flags), /\nwarning: every user of this machine may read the key .*chmod 600/);
});

test('a certificate without names of hosts is a problem', async (context) => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'example.com' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: false, critical: true }],
  });
  assert.match(await examine(context, writePair(context, { cert, key })), /^problem: .*names no host/);
});

test('the generated pair: missing, good, at its end, with a flaw', async (context) => {
  const doctor = aContext(context);
  const lines = (now = new Date()) => textOf('certificate', { ...doctor, now });
  assert.equal(await lines(), 'ok: none yet: the first start creates a self-signed one');
  mkdirSync(doctor.state.path);
  await ensureCertificate(doctor.state.path, new Date());
  assert.match(await lines(), /^ok: .*for localhost, .*self-signed, until /);
  assert.match(
    await lines(new Date(Date.now() + 800 * DAY_MS)),
    /^warning: .* -> Restart the service or send it SIGHUP/,
  );
  const { certPath, keyPath } = generatedFiles(doctor.state.path);
  rmSync(keyPath);
  assert.match(await lines(), /^warning: .*key\.pem is missing -> Start the service/);
  writeFileSync(keyPath, 'x');
  rmSync(certPath);
  assert.match(await lines(), /^problem: .*cert\.pem cannot be read.* -> .*Delete both files/);
});

test('authorities of clients: good, and a certificate that is none', async (context) => {
  const pair = writePair(context, await authority.serverPair());
  const tlsClientCa = join(temporaryFolder(context), 'ca.pem');
  writeFileSync(tlsClientCa, authority.cert);
  assert.match(
    await examine(context, { ...pair, tlsClientCa }),
    /\nok: authority CN=Test Authority of clients in .*ca\.pem, until /,
  );
  writeFileSync(tlsClientCa, (await authority.clientPair()).cert);
  assert.match(await examine(context, { ...pair, tlsClientCa }), /\nproblem: .*not the certificate of an authority/);
});

test('one of several authorities of clients that has expired is a warning, and all of them a problem', async (context) => {
  const pair = writePair(context, await authority.serverPair());
  const tlsClientCa = join(temporaryFolder(context), 'ca.pem');
  const old = await createAuthority('Old Authority', { notAfterDate: new Date(Date.now() + DAY_MS) });
  writeFileSync(tlsClientCa, `${authority.cert}\n${old.cert}`);
  const at = (days: number) => examine(context, { ...pair, tlsClientCa }, new Date(Date.now() + days * DAY_MS));
  assert.match(
    await at(2),
    /\nok: authority CN=Test Authority .*\nwarning: authority CN=Old Authority of clients in .*ca\.pem: expired on \S+ -> Delete /,
  );
  assert.match(
    await at(10_000),
    /\nproblem: authority CN=Test Authority of clients in .*ca\.pem: expired on .* -> Add/,
  );
});

test('behind a proxy there is no certificate', async (context) => {
  assert.equal(await examine(context, { behindProxy: 'true' }), 'ok: none: the proxy has it (--behind-proxy)');
});
