import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { loadCertificate } from 'toponym-server/serve/tls/certificate';
import { type Authority, createAuthority, type PemPair } from '../../../test/support/certificate-authority.ts';
import { waitUntil } from '../../../test/support/deadline.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { FileReloader } from '../src/file-reloader.ts';

const POLL_MS = 5;
const LONG_MS = 60_000;
const REFUSED = 'certificate not reloaded; the log says why';

const authority: Authority = await createAuthority('Test authority');

/** A reloader of real files that records what it does. */
async function aReloader(context: TestContext, { graceMs = LONG_MS, folder = temporaryFolder(context) } = {}) {
  const certPath = join(folder, 'cert.pem');
  const keyPath = join(folder, 'key.pem');
  const write = ({ cert, key }: Partial<PemPair>) => {
    if (cert !== undefined) writeFileSync(certPath, cert);
    if (key !== undefined) writeFileSync(keyPath, key);
  };
  write(await authority.serverPair());
  const used: string[] = [];
  const results: boolean[] = [];
  const problems: string[] = [];
  const lines: { level: number; reason: string; msg: string }[] = [];
  const reloader = new FileReloader({
    what: 'certificate',
    watchedPaths: () => [certPath, keyPath],
    load: async () => {
      const { cert } = await loadCertificate({ certPath, keyPath });
      used.push(cert);
      return { cert };
    },
    onChange: (reload) => {
      if (reload !== undefined) results.push(reload.isOk);
      problems.push(reloader.problem);
    },
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    graceMs,
  });
  reloader.start(POLL_MS / 1000);
  context.after(() => reloader.stop());
  return { reloader, write, used, results, problems, lines, certPath, keyPath };
}

test('a pair whose files arrive one after the other is used when it is complete, and no error is reported', async (context) => {
  const { write, used, results, lines, problems } = await aReloader(context);
  const [first, second] = [await authority.serverPair(), await authority.serverPair()];
  write({ cert: first.cert });
  await waitUntil('the half is tried', () => lines.length === 1);
  write({ key: first.key });
  await waitUntil('the pair is reloaded', () => results.length === 1);
  write({ key: second.key });
  await waitUntil('the half is tried', () => lines.length === 3);
  write({ cert: second.cert });
  await waitUntil('the pair is reloaded', () => results.length === 2);
  assert.deepEqual([results, used, new Set(problems)], [[true, true], [first.cert, second.cert], new Set([''])]);
  // one line for each half, although the files were examined many times
  const [half, pair] = ['the changed certificate files cannot be used yet', 'certificate reloaded'];
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [half, pair, half, pair].map((msg) => [30, msg]),
  );
  assert.match(lines[0]?.reason ?? '', /does not belong to the certificate/);
});

test('files that stay unusable are reported once after the grace period, and a later repair too', async (context) => {
  const { reloader, write, used, results, lines } = await aReloader(context, { graceMs: 40 });
  const next = await authority.serverPair();
  write({ cert: next.cert });
  await waitUntil('the problem is reported', () => results.length > 0);
  assert.deepEqual([results, reloader.problem, used], [[false], REFUSED, []]);
  assert.deepEqual(
    lines.map(({ level }) => level),
    [30, 50],
  );
  write({ key: next.key });
  await waitUntil('the repair is reported', () => results.length > 1);
  assert.deepEqual([results, reloader.problem, used], [[false, true], '', [next.cert]]);
});

test('a request reports unusable files at once', async (context) => {
  const { reloader, write, lines, results } = await aReloader(context);
  write({ cert: 'not a certificate' });
  await waitUntil('the change is noticed', () => lines.length > 0);
  assert.equal(reloader.problem, '');
  assert.equal(await reloader.reload(), false);
  assert.equal(reloader.problem, REFUSED);
  assert.equal(lines.at(-1)?.level, 50);
  assert.deepEqual(results, []);
});

test('a file that changes while it is read is read again, whether polls see that during the read or not', async (context) => {
  for (const readMs of [0, 10 * POLL_MS]) {
    const path = join(temporaryFolder(context), 'file');
    writeFileSync(path, 'one');
    const read: string[] = [];
    const reloader = new FileReloader({
      what: 'file',
      watchedPaths: () => [path],
      load: async () => {
        const text = readFileSync(path, 'utf8');
        if (text === 'two') writeFileSync(path, 'three');
        await new Promise((resolve) => setTimeout(resolve, readMs));
        read.push(text);
        return {};
      },
      onChange: () => {},
      log: pino({ level: 'silent' }),
    });
    reloader.start(POLL_MS / 1000);
    context.after(() => reloader.stop());
    writeFileSync(path, 'two');
    await waitUntil('the last content is read', () => read.at(-1) === 'three');
  }
});

test('files behind a link that is swapped are noticed, as in a Kubernetes Secret', async (context) => {
  const folder = temporaryFolder(context);
  const putVersion = async (name: string) => {
    const pair = await authority.serverPair();
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'cert.pem'), pair.cert);
    writeFileSync(join(folder, name, 'key.pem'), pair.key);
    symlinkSync(name, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    return pair;
  };
  await putVersion('..one');
  for (const name of ['cert.pem', 'key.pem']) symlinkSync(join('..data', name), join(folder, name));
  const { used, results, lines } = await aReloader(context, { folder });
  const next = await putVersion('..two');
  rmSync(join(folder, '..one'), { recursive: true });
  await waitUntil('the pair is reloaded', () => results.length > 0);
  assert.deepEqual([results, used, lines.length], [[true], [next.cert], 1]);
});

test('a missing file is reported, and the pair is used when it is back', async (context) => {
  const { reloader, write, used, results, problems, certPath } = await aReloader(context);
  const next = await authority.serverPair();
  rmSync(certPath);
  await waitUntil('the problem is reported', () => problems.length > 0);
  assert.equal(problems[0], 'no such file or directory (cert.pem)', 'without its folder');
  write(next);
  await waitUntil('the pair is reloaded', () => results.length > 0 && reloader.problem === '');
  assert.deepEqual([results, used], [[true], [next.cert]]);
});
