import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stateFolderAt } from '../../../src/serve/state-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, assertFindings, type Case, textOf } from './a-context.ts';

test('processors: more threads than cores are a warning', async (context) => {
  const flags = { threads: '4' };
  await assertFindings(context, 'processors', [
    [{ flags, machine: { cores: 4 } }, 'ok: 4 worker threads, 4 usable cores'],
    [{ flags, machine: { cores: 1 } }, /^warning: 4 worker threads, 1 usable core -> Set --threads 1/],
  ]);
});

test('descriptors: the limit must cover 10,000 connections', async (context) => {
  const limits: [number | undefined, RegExp | string][] = [
    [100, /^problem: /],
    [10_511, /^warning: limit 10,511: enough for 9,999 connections -> .*LimitNOFILE/],
    [10_512, 'ok: limit 10,512: enough for 10,000 connections'],
    [Number.POSITIVE_INFINITY, /^ok: /],
    [undefined, ''],
  ];
  const cases = limits.map(([maxDescriptors, expected]): Case => [{ machine: { maxDescriptors } }, expected]);
  await assertFindings(context, 'descriptors', cases);
});

test('memory: the limit is compared with what an idle and a busy service take', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  writeFileSync(index, '');
  truncateSync(index, 82.5e6);
  const at = (memoryBytes: number, threads = '2') =>
    textOf('memory', aContext(context, { flags: { ipDatabase: 'none', index, threads }, machine: { memoryBytes } }));
  const [, idle = '', busy = ''] = /takes about (\S+) MB when idle and up to about (\S+) MB/.exec(await at(4e9)) ?? [];
  const [cacheMb, rateCountersMb, secondIndexMb] = [134, 201, 82.5];
  assert.ok(Number(busy) > Number(idle) + cacheMb + rateCountersMb + secondIndexMb, busy);
  assert.match(await at(Number(idle) * 1e6 - 1e5), /^problem: .* -> Raise the limit/);
  assert.match(await at(Number(busy) * 1e6 - 1e5), /^warning: /);
  assert.match(await at(Number(busy) * 1e6 + 1e5), /^ok: /);
  // as measured
  for (const [threads, megabytes] of Object.entries({ 1: 238, 2: 289, 4: 382 })) {
    const [, needed] = /takes about (\S+) MB/.exec(await at(4e9, threads)) ?? [];
    assert.ok(Math.abs(Number(needed) / megabytes - 1) < 0.05, `${threads}: ${needed}`);
  }
});

test('memory: a first start must be able to build the embedded index', async (context) => {
  // a cache without the index
  context.mock.property(process, 'env', { ...process.env, XDG_CACHE_HOME: temporaryFolder(context) });
  const flags = { threads: '1', ipDatabase: 'none' };
  await assertFindings(context, 'memory', [
    [
      { flags, machine: { memoryBytes: 500e6 } },
      /^problem: limit 500\.0 MB; the first start builds an index.* -> Raise the limit/,
    ],
    [{ flags, machine: { memoryBytes: 1500e6 } }, /^ok: /],
  ]);
});

test('clock: an impossible date and a file from the future are problems', async (context) => {
  const doctor = aContext(context);
  const at = (time: string) => textOf('clock', { ...doctor, now: new Date(time) });
  assert.match(await at('2000-01-01'), /^problem: it shows 2000-01-01T.*cannot be right -> Set the clock/);
  assert.match(await at('2100-01-02'), /^problem: .*cannot be right/);
  assert.equal(await at('2026-05-01T12:00:00Z'), 'ok: it shows 2026-05-01T12:00:00.000Z');
  mkdirSync(doctor.state.path);
  writeFileSync(doctor.state.keysPath, '');
  utimesSync(doctor.state.keysPath, 0, Date.parse('2026-05-01T12:00:00Z') / 1000);
  assert.match(await at('2026-05-01T11:00:00Z'), /^ok: /);
  assert.match(
    await at('2026-05-01T10:59:59Z'),
    /^problem: .*, but .*keys\.sqlite was written later: 2026-05-01T12:00:00.000Z -> Set the clock/,
  );
});

test('disk: no room for keys or files is a problem, and little room a warning', async (context) => {
  const disk = (megabytes: number, { files = 0, ffree = 0 } = {}) => ({
    machine: { diskOf: () => ({ type: 0, bavail: megabytes, bsize: 1e6, files, ffree }) },
  });
  await assertFindings(context, 'disk', [
    [disk(1), /^problem: 1\.0 MB free on the disk of .*: too little to store keys -> Free some/],
    [disk(100), /^warning: .*a new version of the index may need 268\.4 MB/],
    [disk(1000), /^ok: 1000\.0 MB free/],
    [disk(1000, { files: 9, ffree: 1 }), /^ok: /],
    [disk(1000, { files: 9 }), /^problem: the disk of .* has no room for another file -> Free some/],
  ]);
});

test('state folder: missing, a file, on a network, or open to other users', async (context) => {
  const doctor = aContext(context);
  const { path, firstKeyPath } = doctor.state;
  const found = (changes = {}) => textOf('state folder', { ...doctor, ...changes });
  const withMode = (mode: number) => {
    chmodSync(path, mode);
    return found();
  };
  assert.match(await found(), /^ok: .* does not exist yet/);
  const file = join(temporaryFolder(context), 'file');
  writeFileSync(file, '', { mode: 0o700 });
  for (const folder of [file, join(file, 'state')]) {
    const state = stateFolderAt(folder);
    assert.match(await found({ state }), /^problem: .* cannot be written: not a folder -> .* --state/);
  }
  mkdirSync(path);
  assert.equal(await withMode(0o700), `ok: ${path} can be written`);
  const machine = { ...doctor.machine, diskOf: () => ({ type: 0x6969, bavail: 0, bsize: 0, files: 0, ffree: 0 }) };
  assert.match(await found({ machine }), /^problem: .* is on a network file system.* -> Choose a local disk/m);
  assert.match(await withMode(0o755), /^warning: .*may use .* -> Run: chmod 700 /m);
  assert.match(await withMode(0o777), /^problem: .*may use .* -> Run: chmod 700 /m);
  writeFileSync(firstKeyPath, 'tpk_', { mode: 0o644 });
  assert.match(await withMode(0o700), /^problem: .*first-key\.txt -> Run: chmod 600 /m);
});
