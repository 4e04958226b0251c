import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { FileReloader } from '../../../src/serve/reload/file-reloader.ts';
import { loadCertificate } from '../../../src/serve/tls/certificate.ts';
import { type Authority, createAuthority, type PemPair } from '../../support/certificate-authority.ts';
import { waitUntil } from '../../support/deadline.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
  const results: string[] = [];
  const problems: string[] = [];
  const lines: { level: number; reason: string }[] = [];
  const reloader = new FileReloader({
    what: 'certificate',
    watchedPaths: [certPath, keyPath],
    load: async () => ({ ...(await loadCertificate({ certPath, keyPath })), clientAuthorities: undefined }),
    use: async ({ cert }) => void used.push(cert),
    onReloaded: ({ problem }) => results.push(problem),
    onWatchProblem: (problem) => problems.push(problem),
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    graceMs,
  });
  reloader.start(POLL_MS);
  context.after(() => reloader.stop());
  return { reloader, write, used, results, problems, lines, certPath, keyPath };
}

test('a pair whose files arrive one after the other is used when it is complete, and no error is reported', async (context) => {
  const { write, used, results, lines } = await aReloader(context);
  const [first, second] = [await authority.serverPair(), await authority.serverPair()];
  write({ cert: first.cert });
  await waitUntil('the half is tried', () => lines.length === 1);
  write({ key: first.key });
  await waitUntil('the pair is reloaded', () => results.length === 1);
  write({ key: second.key });
  await waitUntil('the half is tried', () => lines.length === 2);
  write({ cert: second.cert });
  await waitUntil('the pair is reloaded', () => results.length === 2);
  assert.deepEqual(
    [results, used],
    [
      ['', ''],
      [first.cert, second.cert],
    ],
  );
  // one line for each half, although the files were examined many times
  assert.deepEqual(
    lines.map(({ level }) => level),
    [30, 30],
  );
  assert.match(lines[0]?.reason ?? '', /does not belong to the certificate/);
});

test('files that stay unusable are reported once after the grace period, and a later repair too', async (context) => {
  const { write, used, results, lines } = await aReloader(context, { graceMs: 40 });
  const next = await authority.serverPair();
  write({ cert: next.cert });
  await waitUntil('the problem is reported', () => results.length > 0);
  assert.deepEqual([results, used], [[REFUSED], []]);
  assert.deepEqual(
    lines.map(({ level }) => level),
    [30, 50],
  );
  write({ key: next.key });
  await waitUntil('the repair is reported', () => results.length > 1);
  assert.deepEqual(results, [REFUSED, '']);
  assert.deepEqual(used, [next.cert]);
});

test('a request reports unusable files at once; a reload for another reason leaves the grace period as it is', async (context) => {
  const { reloader, write, lines, results } = await aReloader(context);
  write({ cert: 'not a certificate' });
  await waitUntil('the change is noticed', () => lines.length > 0);
  assert.equal((await reloader.reload()).problem, '');
  assert.ok(lines.every(({ level }) => level < 40));
  reloader.endGrace();
  assert.deepEqual(await reloader.reload(), { content: undefined, problem: REFUSED });
  assert.equal(lines.at(-1)?.level, 50);
  assert.deepEqual(results, []);
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
  assert.deepEqual([results, used, lines], [[''], [next.cert], []]);
});

test('a missing file is reported, and the pair is used when it is back', async (context) => {
  const { write, used, results, problems, certPath } = await aReloader(context);
  const next = await authority.serverPair();
  rmSync(certPath);
  await waitUntil('the problem is reported', () => problems.length > 0);
  assert.match(problems[0] ?? '', /^no such file or directory \(.*cert\.pem\)$/);
  write(next);
  await waitUntil('the pair is reloaded', () => results.length > 0 && problems.length > 1);
  assert.deepEqual([results, used, problems[1]], [[''], [next.cert], '']);
});
