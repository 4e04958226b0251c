/** Checks of what the service reads: certificate, index, IP database and keys. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generate } from 'selfsigned';
import { openSqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { DAY_MS } from 'toponym-access/limits/quota-table';
import { updatedIndexPath } from 'toponym-gazetteer/datasets/index-choice';
import { openStateFolder } from 'toponym-server/serve/state-folder';
import { ensureCertificate, generatedFiles } from 'toponym-server/serve/tls/certificate';
import { createAuthority, type PemPair } from '../../../../../test/support/certificate-authority.ts';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { anMmdb } from '../../../../../test/support/mmdb.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { aContext, assertFindings, type Case, textOf } from './a-context.ts';

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

test('a pair that cannot be used is a problem', async (context) => {
  const flags = writePair(context, await authority.serverPair());
  const other = writePair(context, await authority.serverPair());
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'example.com' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: false, critical: true }],
  });
  const cases: [flags: Record<string, string>, expected: RegExp | string][] = [
    [{ ...flags, tlsKey: other.tlsKey }, /^problem: .*does not belong to/],
    [{ ...flags, tlsCert: '/missing' }, /^problem: .*cannot be read.* -> Name a certificate/],
    [writePair(context, { cert, key }), /^problem: .*names no host/],
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

test('index: a file of the user and its overlay, and what is wrong with them', async (context) => {
  const folder = temporaryFolder(context);
  const [index, overlay] = [join(folder, 'a.toponym'), join(folder, 'overlay.ndjson')];
  const find = (expected: RegExp | string, flags = {}) =>
    assertFindings(context, 'index', [[{ flags: { index, ...flags } }, expected]]);
  await find(/^problem: .* cannot be read: no such file or directory\. -> Correct the file/);
  await writeVersion(index, 'one', []);
  await find(/^problem: .*holds no places/);
  await writeVersion(index, 'mine-2026-01-01', ['Alba', 'Borea']);
  const good = `ok: ${index}: mine-2026-01-01, 2 places, verified`;
  await find(good);
  writeFileSync(overlay, '{"hide":"G1"}\n');
  await find(`${good}\nok: overlay ${overlay} fits the index`, { overlay });
  writeFileSync(overlay, '{"hide":"G9"}\n{"hid":1}\n');
  await find(/\nproblem: .*overlay\.ndjson.* -> Correct the file/, { overlay });
  const bytes = readFileSync(index);
  bytes[bytes.length - 10]! ^= 1;
  writeFileSync(index, bytes);
  await find(/^problem: .* -> Correct the file, or build or copy it again/);
});

test('index: the updated one of the state folder', async (context) => {
  const doctor = aContext(context);
  const path = updatedIndexPath(doctor.state.indexFolder);
  mkdirSync(doctor.state.indexFolder, { recursive: true });
  await writeVersion(path, 'geonames-cities500-2026-01-01', ['Alba']);
  assert.equal(await textOf('index', doctor), `ok: ${path}: geonames-cities500-2026-01-01, 1 places, verified`);
  writeFileSync(path, 'damaged');
  assert.match(
    await textOf('index', doctor),
    /^problem: .* Run "npx toponym update" to build it again, or use the embedded data: --index embedded\. -> /,
  );
});

test('index: one at a URL without a copy is downloaded by the first start', async (context) => {
  const env = { TOPONYM_INDEX: 'https://user:secret@example.invalid/a.toponym?signature=secret' };
  await assertFindings(context, 'index', [[{ env }, 'ok: none yet: the first start builds or downloads it']]);
});

test('IP database: none, a file that is cut off, and the date of the embedded one', async (context) => {
  const file = join(temporaryFolder(context), 'a.mmdb');
  writeFileSync(file, anMmdb({ latitude: 1, longitude: 2 }).subarray(0, 60));
  await assertFindings(context, 'IP database', [
    [{ flags: { ipDatabase: 'none' } }, /^ok: none, as set/],
    [{ flags: { ipDatabase: file } }, /^problem: .*not a usable MaxMind DB file.* -> Name a MaxMind DB file/],
    [{ now: new Date('2026-07-01') }, /^ok: .*dbip-city-ipv4\.mmdb of \d+ \w+ 2026 \(\d+ days old\)/],
  ]);
});

const NOW = new Date('2026-06-01');
const nowMs = NOW.getTime();

test('keys are counted, and no valid key is a problem; nothing is changed', async (context) => {
  const doctor = aContext(context, { now: NOW });
  const { path, keysPath } = doctor.state;
  assert.equal(await textOf('keys', doctor), 'ok: none yet: the first start creates one');
  openStateFolder(path);
  const store = openSqliteKeys(keysPath);
  const used = store.create({ label: 'used' }, nowMs).record;
  store.writeUses(new Map([[used.id, nowMs]]));
  const ending = store.create({ label: 'shop', expiresAt: nowMs + 5 * DAY_MS }, nowMs).record;
  store.create({ label: 'expired', expiresAt: nowMs - DAY_MS }, nowMs - 2 * DAY_MS);
  store.revoke(store.create({ label: 'revoked' }, nowMs).record.id, nowMs);
  const counts = await textOf('keys', doctor);
  assert.equal(counts, `ok: ${keysPath}: 2 valid keys (1 never used), 1 expired, 1 revoked`, 'while the store is open');
  for (const { id } of [used, ending]) store.revoke(id, nowMs);
  store.close();
  const before = readdirSync(path);
  assert.match(await textOf('keys', doctor), /^problem: .* 0 valid keys .*Every call is refused -> Create a key/);
  assert.deepEqual(readdirSync(path), before);
  const damaged = 'not a database at all'.repeat(100);
  writeFileSync(keysPath, damaged);
  assert.match(await textOf('keys', doctor), /^problem: key store .* is damaged.* -> Restore a backup/);
  assert.equal(readFileSync(keysPath, 'utf8'), damaged);
});
