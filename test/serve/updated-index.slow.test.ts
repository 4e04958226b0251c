/** The index of `toponym update` in the state folder, which `serve` and the other commands use by themselves. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { updatedIndexPath } from '../../src/datasets/index-choice.ts';
import { fixture, geonames, serving } from '../datasets/geonames-source.ts';
import { servePlainHttp, wellServed } from '../fetch/file-server.ts';
import { writeZip } from '../sources/input/write-zip.ts';
import { AS_NOBODY, skipNobody } from '../support/as-nobody.ts';
import { builtIndex } from '../support/built-index.ts';
import { waitUntil } from '../support/deadline.ts';
import { PROGRAM, testEnvironment } from '../support/environment.ts';
import { writeVersion } from '../support/index-version.ts';
import { OutputLines } from '../support/output-lines.ts';
import { untilNoNotice, untilNotice } from '../support/readiness.ts';
import { type RunningService, runService, runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EMBEDDED = 'geonames-cities500-2023-03-05';
const UPDATED = 'geonames-cities500-2025-06-15';
const FAST = ['--threads', '1', '--watch-seconds', '1'];

/** A state folder and a dump folder of GeoNames from which its index is updated. */
async function aSource(context: TestContext) {
  await builtIndex(); // so that no start builds it
  const cwd = temporaryFolder(context);
  const state = join(cwd, 'state');
  const files = geonames();
  const url = await servePlainHttp(context, serving(files));
  const updateArgs = ['update', '--source-url', url.href, '--state', state];
  const update = async (...args: string[]) => {
    const { code, stdout, stderr } = await runToponym([...updateArgs, ...args], { cwd });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const serve = (...args: string[]) => runService(context, { state, isIndexDefault: true, args: [...FAST, ...args] });
  const query = async (...args: string[]) => {
    const { stdout, stderr } = await runToponym(['query', '', '--json', '--state', state, ...args], { cwd });
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout).dataset.version;
  };
  return { cwd, state, files, updateArgs, update, serve, query, path: updatedIndexPath(join(state, 'index')) };
}

async function versionOf(service: RunningService): Promise<string> {
  return (await service.call('/api/1/query', { form: {} })).json().dataset.version;
}

async function untilVersion(service: RunningService, version: string): Promise<void> {
  await service.logged(`"data":"${version}"`);
  assert.equal(await versionOf(service), version);
}

async function stop(service: RunningService): Promise<void> {
  service.child.kill('SIGTERM');
  await service.ended();
}

function residentBytes({ ready }: RunningService): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${ready.pid}/status`, 'utf8'))?.[1]) * 1024;
}

test('a running service of the embedded data serves the updated index, frees the old one, and a restart serves it too', {
  timeout: 120_000,
}, async (context) => {
  const { update, serve, query } = await aSource(context);
  const first = await serve('--allow-shrunken-data');
  assert.equal(await versionOf(first), EMBEDDED);
  assert.equal(await query(), EMBEDDED);
  const before = process.platform === 'linux' ? residentBytes(first) : 0;
  await update();
  await untilVersion(first, UPDATED);
  assert.equal(await query(), UPDATED);
  assert.equal(await query('--index', 'embedded'), EMBEDDED);
  // the embedded index has 82 MB
  if (process.platform === 'linux')
    await waitUntil('the memory of the embedded index is free', () => residentBytes(first) < before - 60e6);
  await stop(first);
  const second = await serve();
  assert.equal(await versionOf(second), UPDATED);
  await stop(second);
  const forced = await serve('--index', 'embedded');
  assert.equal(await versionOf(forced), EMBEDDED);
});

test('an update of the updated index is served after SIGHUP, without watching', {
  timeout: 120_000,
}, async (context) => {
  const { files, update, serve } = await aSource(context);
  await update();
  const service = await serve('--watch-seconds', '0');
  const newer = fixture('LI.txt').toString().replaceAll('2025-06-15', '2026-11-01');
  files.set('/cities500.zip', wellServed(writeZip({ name: 'cities500.txt', content: newer }), '"v2"'));
  await update();
  assert.equal(await versionOf(service), UPDATED);
  service.child.kill('SIGHUP');
  await untilVersion(service, 'geonames-cities500-2026-11-01');
});

test('--index embedded ignores the updated index, also while it runs, and ./embedded is a file', {
  timeout: 120_000,
}, async (context) => {
  const { cwd, state, update, serve, query } = await aSource(context);
  const service = await serve('--index', 'embedded', '--allow-shrunken-data');
  await update();
  service.child.kill('SIGHUP');
  await untilVersion(service, EMBEDDED); // the embedded index is read again
  await writeVersion(join(cwd, 'embedded'), 'mine', ['Alba']);
  assert.equal(await query('--index', './embedded'), 'mine');
  assert.equal(await query('--index', 'embedded', '--state', state), EMBEDDED);
});

test('a running service refuses shrunken data, says what to do, and serves them after a restart', {
  timeout: 120_000,
}, async (context) => {
  const { state, update, serve, path } = await aSource(context);
  const service = await serve();
  const printed = await update('--country', 'LI');
  assert.ok(
    printed.endsWith(
      `The next start of a service of ${state} serves it.\nA running service keeps its data until a restart, because the new index has less than half as many places.\n`,
    ),
    printed,
  );
  const notice = await untilNotice(service, /^index updated\.toponym/);
  assert.equal(
    notice,
    'index updated.toponym not reloaded: it holds 3 places, and 199,568 are being served. To use it anyway, restart the service or set --allow-shrunken-data',
  );
  assert.equal(await versionOf(service), EMBEDDED);
  rmSync(path); // the service was not serving it, so nothing is missing
  await untilNoNotice(service);
  assert.equal(await versionOf(service), EMBEDDED);
  await update('--country', 'LI');
  await untilNotice(service, /^index updated\.toponym/);
  await stop(service);
  assert.equal(await versionOf(await serve()), 'geonames-LI-2025-06-15');
});

test('a deleted index stays in use with a notice, and after a restart the embedded data are served', {
  timeout: 120_000,
}, async (context) => {
  const { update, serve, path } = await aSource(context);
  await update();
  const service = await serve();
  renameSync(path, `${path}.aside`);
  const notice = await untilNotice(service, /ENOENT/);
  assert.match(notice, /'updated\.toponym'$/, 'without its folder');
  service.child.kill('SIGHUP');
  await service.logged('index not reloaded');
  assert.equal(await versionOf(service), UPDATED);
  renameSync(`${path}.aside`, path);
  await untilNoNotice(service);
  rmSync(path);
  await stop(service);
  assert.equal(await versionOf(await serve()), EMBEDDED);
});

test('a damaged index changes nothing while the service runs', { timeout: 120_000 }, async (context) => {
  const { update, serve, path } = await aSource(context);
  const service = await serve('--allow-shrunken-data');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'not an index');
  await untilNotice(service, /^index updated\.toponym not reloaded; the log says why$/);
  assert.equal(await versionOf(service), EMBEDDED);
  await update(); // repairs it
  await untilVersion(service, UPDATED);
  await untilNoNotice(service);
});

test('a damaged index is an error of every command, which names the remedy', { timeout: 120_000 }, async (context) => {
  const { cwd, state, path, update } = await aSource(context);
  await update();
  const good = readFileSync(path);
  const damaged = Buffer.from(good);
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 10) ^ 1, damaged.length - 10);
  const remedy = 'Run "toponym update" to build it again, or use the embedded data: --index embedded.\n';
  const commands = [
    ['serve', '--ip-database', 'none'],
    ['query', 'paris'],
    ['reverse', '48.85,2.35'],
    ['get', 'G1'],
    ['export'],
  ];
  for (const [content, names] of [
    [damaged, ['serve', 'query', 'reverse', 'get', 'export']],
    [good.subarray(0, 1000), ['query']],
    ['', ['query']],
  ] as const) {
    writeFileSync(path, content);
    for (const command of commands.filter(([name = '']) => (names as readonly string[]).includes(name))) {
      const { code, stdout, stderr } = await runToponym([...command, '--state', state], { cwd });
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.ok(stderr.startsWith(`toponym: ${path}: `) && stderr.endsWith(`. ${remedy}`), stderr);
    }
  }
  rmSync(path);
  mkdirSync(path);
  const folder = await runToponym(['query', 'paris', '--state', state], { cwd });
  assert.equal(folder.code, 1);
  assert.match(folder.stderr, /updated\.toponym: .*folder.*--index embedded\.\n$/);
});

test('an index that may not be read is an error, not a reason to use the embedded data', {
  skip: skipNobody,
}, async (context) => {
  const { cwd, state } = await aSource(context);
  chmodSync(cwd, 0o755);
  mkdirSync(state, { mode: 0o700 });
  const [command = '', ...words] = AS_NOBODY;
  const child = spawn(command, [...words, 'query', 'paris', '--state', state], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: testEnvironment(),
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^toponym: The index \S+updated\.toponym cannot be read: EACCES.*--index embedded\.\n$/);
});

test('commands create nothing, with and without an updated index', { timeout: 120_000 }, async (context) => {
  const { cwd, state, query, update } = await aSource(context);
  assert.equal(await query(), EMBEDDED);
  assert.equal(existsSync(state), false);
  await update();
  assert.equal(await query(), UPDATED);
  const { stdout } = await runToponym(['export', '--state', state], { cwd });
  assert.equal(JSON.parse(stdout.split('\n')[0] ?? '').dataset.version, UPDATED);
  const { stdout: record } = await runToponym(['get', 'G9000002', '--state', state], { cwd });
  assert.match(record, /Oberbach/);
  symlinkSync(join(state, 'index'), join(cwd, 'link'));
  const { code, stderr } = await runToponym([
    'export',
    '--state',
    state,
    '--out',
    join(cwd, 'link', 'updated.toponym'),
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /it is also an input/);
});

test('a killed update leaves the old index, and the next one builds the new index', {
  timeout: 120_000,
}, async (context) => {
  const { cwd, files, path, update, updateArgs } = await aSource(context);
  await update();
  const before = readFileSync(path);
  files.set('/cities500.zip', wellServed(writeZip({ name: 'cities500.txt', content: manyRows(30_000) }), '"v2"'));
  const child = spawn(process.execPath, [PROGRAM, ...updateArgs], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: testEnvironment(),
  });
  context.after(() => child.kill('SIGKILL'));
  await new OutputLines(child.stderr).contains('indexing names');
  child.kill('SIGKILL');
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  assert.deepEqual(readFileSync(path), before);
  assert.match(await update(), /^Places +30,000$/m);
});

/** A dump of villages in a grid, all different. */
function manyRows(count: number): string {
  const row = fixture('LI.txt').toString().split('\n')[1]?.split('\t') ?? [];
  assert.equal(row.length, 19);
  return Array.from({ length: count }, (_, i) => {
    const name = `Ort${i.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}`;
    const [lat, lng] = [40 + Math.floor(i / 200) / 10, (i % 200) / 10];
    return row
      .with(0, String(20_000_000 + i))
      .with(1, name)
      .with(2, name)
      .with(3, '')
      .with(4, `${lat}`)
      .with(5, `${lng}`);
  })
    .map((cells) => `${cells.join('\t')}\n`)
    .join('');
}
