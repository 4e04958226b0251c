import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generate } from 'selfsigned';
import { ensureCertificate, generatedFiles } from '../../../src/serve/tls/certificate.ts';
import { createAuthority, type PemPair } from '../../support/certificate-authority.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, assertFindings, type Case, textOf } from './a-context.ts';

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

test('a pair of an authority, from before its start to after its end', async (context) => {
  const flags = writePair(context, await authority.serverPair());
  const found = await examine(context, flags);
  assert.match(found, /^ok: .*cert\.pem for localhost, 127\.0\.0\.1, signed by CN=Test Authority, until 20\d\d-/);
  const [, end = ''] = /until (\S+) /.exec(found) ?? [];
  const cases: [days: number, expected: RegExp][] = [
    [-2000, /^problem: .* is valid only from .* -> Check the clock/],
    [-32, /^ok: /],
    [-20, /^warning: .* -> Renew it/],
    [2, /^problem: .*: expired on .* -> Renew it/],
  ];
  for (const [days, expected] of cases) {
    assert.match(await examine(context, flags, new Date(Date.parse(end) + days * DAY_MS)), expected);
  }
});

test('a pair that cannot be used is a problem, a key that others can read a warning', async (context) => {
  const flags = writePair(context, await authority.serverPair());
  const other = writePair(context, await authority.serverPair());
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'example.com' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: false, critical: true }],
  });
  const open = writePair(context, await authority.serverPair());
  chmodSync(open.tlsKey, 0o644);
  const cases: [flags: Record<string, string>, expected: RegExp | string][] = [
    [{ ...flags, tlsKey: other.tlsKey }, /^problem: .*does not belong to/],
    [{ ...flags, tlsCert: '/missing' }, /^problem: .*cannot be read.* -> Name a certificate/],
    [writePair(context, { cert, key }), /^problem: .*names no host/],
    [open, /\nwarning: every user of this machine may read the key .*chmod 600/],
    [{ behindProxy: 'true' }, 'ok: none: the proxy has it (--behind-proxy)'],
  ];
  await assertFindings(
    context,
    'certificate',
    cases.map(([flags, expected]): Case => [{ flags }, expected]),
  );
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

test('authorities of clients: good, expired, and a certificate that is none', async (context) => {
  const pair = writePair(context, await authority.serverPair());
  const tlsClientCa = join(temporaryFolder(context), 'ca.pem');
  const old = await createAuthority('Old Authority', { notAfterDate: new Date(Date.now() + DAY_MS) });
  const cases: [content: string, days: number, expected: RegExp][] = [
    [authority.cert, 0, /\nok: authority CN=Test Authority of clients in .*ca\.pem, until /],
    [(await authority.clientPair()).cert, 0, /\nproblem: .*not the certificate of an authority/],
    [
      `${authority.cert}\n${old.cert}`,
      2,
      /\nok: authority CN=Test Authority .*\nwarning: authority CN=Old Authority of clients in .*ca\.pem: expired on \S+ -> Delete /,
    ],
    [
      `${authority.cert}\n${old.cert}`,
      10_000,
      /\nproblem: authority CN=Test Authority of clients in .*ca\.pem: expired on .* -> Add/,
    ],
  ];
  for (const [content, days, expected] of cases) {
    writeFileSync(tlsClientCa, content);
    assert.match(await examine(context, { ...pair, tlsClientCa }, new Date(Date.now() + days * DAY_MS)), expected);
  }
});
