/**
 * The index of `toponym update` in the state folder, which `serve` and the other commands use by
 * themselves.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { embeddedIndexName } from 'toponym-gazetteer/datasets/embedded-index';
import { updatedIndexPath } from 'toponym-gazetteer/datasets/index-choice';
import { builtIndex } from '../../../../test/support/built-index.ts';
import { runCommand } from '../../../../test/support/command.ts';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { PROGRAM, testEnvironment } from '../../../../test/support/environment.ts';
import { writeVersion } from '../../../../test/support/index-version.ts';
import { OutputLines } from '../../../../test/support/output-lines.ts';
import { untilNoNotice, untilNotice, versionOf } from '../../../../test/support/readiness.ts';
import { type RunningService, refusedStart, runSmallService } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { fixture, geonames, serving } from '../../../gazetteer/test/datasets/geonames-source.ts';
import { servePlainHttp, wellServed } from '../../../gazetteer/test/fetch/file-server.ts';
import { writeZip } from '../../../gazetteer/test/sources/input/write-zip.ts';

/** The version of the index that these tests put in the place of the embedded one. */
const EMBEDDED = 'embedded';
const UPDATED = 'geonames-cities500-2025-06-15';
/** More than twice as many places as the test's dump has. */
const EMBEDDED_NAMES = ['Alba', 'Borea', 'Cora', 'Dora', 'Erda', 'Flora', 'Gaia'];

/**
 * A state folder, a small index in place of the embedded one, and a dump folder of GeoNames to
 * update from.
 */
async function aSource(context: TestContext) {
  const cwd = temporaryFolder(context);
  const cacheFolder = join(cwd, 'user-cache');
  const env = { XDG_CACHE_HOME: cacheFolder, LOCALAPPDATA: cacheFolder };
  mkdirSync(join(cacheFolder, 'toponym'), { recursive: true });
  await writeVersion(join(cacheFolder, 'toponym', embeddedIndexName()), EMBEDDED, EMBEDDED_NAMES);
  const state = join(cwd, 'state');
  const files = geonames();
  const url = await servePlainHttp(context, serving(files));
  const updateArgs = ['update', '--source-url', url.href, '--state', state];
  const run = (args: readonly string[]) => runCommand([...args, '--state', state], { cwd, env });
  const update = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...updateArgs, ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const serve = (...args: string[]) =>
    runSmallService(context, { state, env, isIndexDefault: true, args: ['--watch-seconds', '1', ...args] });
  const query = async (...args: string[]) => {
    const { stdout, stderr } = await run(['query', '', '--json', ...args]);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout).dataset.version;
  };
  const path = updatedIndexPath(join(state, 'index'));
  return { cwd, env, state, files, updateArgs, run, update, serve, query, path };
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

test('the memory of the embedded index is freed when the updated index is served', {
  skip: process.platform === 'linux' ? false : 'reads /proc',
}, async (context) => {
  const state = join(temporaryFolder(context), 'state');
  await builtIndex(); // so that the start does not build it
  const args = ['--watch-seconds', '1', '--allow-shrunken-data'];
  const service = await runSmallService(context, { state, isIndexDefault: true, args });
  const before = residentBytes(service);
  mkdirSync(join(state, 'index'), { recursive: true });
  await writeVersion(updatedIndexPath(join(state, 'index')), UPDATED, ['Alba']);
  await untilVersion(service, UPDATED);
  // the embedded index has 82 MB
  await waitUntil('the memory is free', () => residentBytes(service) < before - 60e6);
});

test('a service of the updated index', async (context) => {
  const { cwd, files, update, serve, query, path } = await aSource(context);
  // as many places as the index that it replaces
  files.set(
    '/cities500.zip',
    wellServed(writeZip({ name: 'cities500.txt', content: manyRows(EMBEDDED_NAMES.length) })),
  );
  const service = await serve();
  assert.equal(await versionOf(service), EMBEDDED);
  assert.equal(await query(), EMBEDDED);

  await context.test(
    'a damaged index changes nothing while the service runs, and a repaired one is served',
    async () => {
      mkdirSync(join(service.state, 'index'), { recursive: true });
      writeFileSync(path, 'not an index');
      await untilNotice(service, /^index updated\.toponym not reloaded; the log says why$/);
      assert.equal(await versionOf(service), EMBEDDED);
      await update(); // repairs it
      await untilVersion(service, UPDATED);
      await untilNoNotice(service);
      assert.equal(await query(), UPDATED);
    },
  );

  await context.test('a deleted index changes nothing while the service runs', async () => {
    renameSync(path, `${path}.aside`);
    const notice = await untilNotice(service, /no such file or directory/);
    assert.match(notice, /\(updated\.toponym\)$/, 'without its folder');
    const refusals = service.log().match(/index not reloaded/g)?.length ?? 0;
    service.child.kill('SIGHUP');
    await service.logged('index not reloaded', refusals + 1);
    assert.equal(await versionOf(service), UPDATED);
    renameSync(`${path}.aside`, path);
    await untilNoNotice(service);
  });

  await context.test('the service refuses shrunken data, and says what to do', async () => {
    const printed = await update('--country', 'LI');
    assert.ok(
      printed.endsWith(
        `The next start of a service of ${service.state} serves it.\nA running service keeps its data until a restart, because the new index has less than half as many places.\n`,
      ),
      printed,
    );
    const notice = await untilNotice(service, /^index updated\.toponym/);
    assert.equal(
      notice,
      'index updated.toponym not reloaded: it holds 3 places, and 7 are being served. To use it anyway, restart the service or set --allow-shrunken-data',
    );
    assert.equal(await versionOf(service), UPDATED);
    await stop(service);
  });

  await context.test('a restart serves the updated index, although it has shrunk, and SIGHUP a newer one', async () => {
    const restarted = await serve('--watch-seconds', '0');
    assert.equal(await versionOf(restarted), 'geonames-LI-2025-06-15');
    await update('--set', 'cities500');
    assert.equal(await versionOf(restarted), 'geonames-LI-2025-06-15');
    restarted.child.kill('SIGHUP');
    await untilVersion(restarted, UPDATED);
    await stop(restarted);
  });

  await context.test('--index embedded ignores it', async () => {
    const forced = await serve('--index', 'embedded', '--allow-shrunken-data');
    assert.equal(await versionOf(forced), EMBEDDED);
    forced.child.kill('SIGHUP');
    await untilVersion(forced, EMBEDDED); // the embedded index is read again
    assert.equal(await query('--index', 'embedded'), EMBEDDED);
    await writeVersion(join(cwd, 'embedded'), 'mine', ['Alba']);
    assert.equal(await query('--index', './embedded'), 'mine', 'a file');
  });
});

test('commands with an updated index', async (context) => {
  const { cwd, env, state, path, run, query, update } = await aSource(context);

  await context.test('commands create nothing, with and without an updated index', async () => {
    assert.equal(await query(), EMBEDDED);
    assert.equal(existsSync(state), false);
    await update();
    assert.equal(await query(), UPDATED);
    const { stdout } = await run(['export']);
    assert.equal(JSON.parse(stdout.split('\n')[0] ?? '').dataset.version, UPDATED);
    const { stdout: record } = await run(['get', 'G9000002']);
    assert.match(record, /Oberbach/);
    symlinkSync(join(state, 'index'), join(cwd, 'link'));
    const { code, stderr } = await run(['export', '--out', join(cwd, 'link', 'updated.toponym')]);
    assert.equal(code, 2);
    assert.match(stderr, /it is also an input/);
  });

  await context.test('a damaged index is an error of every command, which names the remedy', async () => {
    const good = readFileSync(path);
    const damaged = Buffer.from(good);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 10) ^ 1, damaged.length - 10);
    const remedy = 'Run "npx toponym update" to build it again, or use the embedded data: --index embedded.\n';
    const commands = [['serve'], ['query', 'paris'], ['reverse', '48.85,2.35'], ['get', 'G1'], ['export']];
    for (const [content, names] of [
      [damaged, ['serve', 'query', 'reverse', 'get', 'export']],
      [good.subarray(0, 1000), ['query']],
      ['', ['query']],
    ] as const) {
      writeFileSync(path, content);
      for (const command of commands.filter(([name = '']) => (names as readonly string[]).includes(name))) {
        const result = command[0] === 'serve' ? refusedStart(['--state', state], { cwd, env }) : run(command);
        const { code, stdout, stderr } = await result;
        assert.deepEqual([code, stdout], [1, ''], stderr);
        assert.ok(stderr.startsWith(`toponym: ${path}: `) && stderr.endsWith(`. ${remedy}`), stderr);
      }
    }
    rmSync(path);
    mkdirSync(path);
    const folder = await run(['query', 'paris']);
    assert.equal(folder.code, 1);
    assert.match(folder.stderr, /updated\.toponym: .*folder.*--index embedded\.\n$/);
  });
});

test('a killed update leaves the old index, and the next one builds the new index', async (context) => {
  const { cwd, env, state, files, path, update, updateArgs } = await aSource(context);
  mkdirSync(join(state, 'index'), { recursive: true });
  await writeVersion(path, 'old', ['Alba']);
  const before = readFileSync(path);
  files.set('/cities500.zip', wellServed(writeZip({ name: 'cities500.txt', content: manyRows(30_000) }), '"v2"'));
  const child = spawn(process.execPath, [PROGRAM, ...updateArgs], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...testEnvironment(), ...env },
  });
  context.after(() => child.kill('SIGKILL'));
  await new OutputLines(child.stderr).contains('indexing names');
  child.kill('SIGKILL');
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  assert.deepEqual(readFileSync(path), before);
  const more = fixture('LI.txt').toString().replaceAll('2025-06-15', '2026-11-01');
  files.set('/cities500.zip', wellServed(writeZip({ name: 'cities500.txt', content: more }), '"v3"'));
  assert.match(await update(), /^Data +GeoNames cities500 of 1 November 2026/m);
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
      .with(5, `${lng}`)
      .with(18, '2025-06-15');
  })
    .map((cells) => `${cells.join('\t')}\n`)
    .join('');
}
