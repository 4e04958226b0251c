import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stateFolderAt } from '../../../src/serve/state/state-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, textOf } from './a-context.ts';

test('more threads than cores are a warning', async (context) => {
  const withCores = (cores: number) =>
    textOf('processors', aContext(context, { flags: { threads: '4' }, machine: { cores } }));
  assert.equal(await withCores(4), 'ok: 4 worker threads, 4 usable cores');
  assert.match(await withCores(1), /^warning: 4 worker threads, 1 usable core -> Set --threads 1/);
});

test('the limit of descriptors must cover 10,000 connections', async (context) => {
  const withLimit = (maxDescriptors: number | undefined) =>
    textOf('descriptors', aContext(context, { machine: { maxDescriptors } }));
  assert.match(await withLimit(100), /^problem: /);
  assert.match(await withLimit(10_511), /^warning: limit 10,511: enough for 9,999 connections -> .*LimitNOFILE/);
  assert.equal(await withLimit(10_512), 'ok: limit 10,512: enough for 10,000 connections');
  assert.match(await withLimit(Number.POSITIVE_INFINITY), /^ok: /);
  assert.equal(await withLimit(undefined), '');
});

test('the limit of memory is compared with what an idle and a busy service take', async (context) => {
  const index = join(temporaryFolder(context), 'a.toponym');
  writeFileSync(index, '');
  truncateSync(index, 82.5e6);
  const flags = { ipDatabase: 'none', index };
  const at = (memoryBytes: number, threads = '2') =>
    textOf('memory', aContext(context, { flags: { ...flags, threads }, machine: { memoryBytes } }));
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

test('a first start needs the memory to build the embedded index', async (context) => {
  // a cache without the index
  context.mock.property(process, 'env', { ...process.env, XDG_CACHE_HOME: temporaryFolder(context) });
  const at = (memoryBytes: number) =>
    textOf('memory', aContext(context, { flags: { threads: '1', ipDatabase: 'none' }, machine: { memoryBytes } }));
  assert.match(await at(500e6), /^problem: limit 500\.0 MB; the first start builds an index.* -> Raise the limit/);
  assert.match(await at(1500e6), /^ok: /);
});

test('a full disk is a problem, and little room a warning', async (context) => {
  const withFree = (megabytes: number) =>
    textOf('disk', aContext(context, { machine: { freeBytesAt: () => megabytes * 1e6 } }));
  assert.match(await withFree(1), /^problem: 1\.0 MB free on the disk of .*: too little to store keys -> Free some/);
  assert.match(await withFree(100), /^warning: .*a new version of the index may need 268\.4 MB/);
  assert.match(await withFree(1000), /^ok: 1000\.0 MB free/);
});

test('a state folder is missing, or a file', async (context) => {
  const doctor = aContext(context);
  assert.match(await textOf('state folder', doctor), /^ok: .* does not exist yet/);
  writeFileSync(doctor.state.path, '', { mode: 0o700 });
  assert.match(await textOf('state folder', doctor), /^problem: .* cannot be written: not a folder -> .* --state/);
  const below = { ...doctor, state: stateFolderAt(join(doctor.state.path, 'state')) };
  assert.match(await textOf('state folder', below), /^problem: .* cannot be written: not a folder/);
});

test('a state folder and secrets that others can use are reported with the command that closes them', async (context) => {
  const doctor = aContext(context);
  const withMode = (mode: number) => {
    chmodSync(doctor.state.path, mode);
    return textOf('state folder', doctor);
  };
  mkdirSync(doctor.state.path);
  assert.equal(await withMode(0o700), `ok: ${doctor.state.path} can be written`);
  assert.match(await withMode(0o755), /^warning: .*may use .* -> Run: chmod 700 /m);
  assert.match(await withMode(0o777), /^problem: .*may use .* -> Run: chmod 700 /m);
  writeFileSync(doctor.state.firstKeyPath, 'tpk_', { mode: 0o644 });
  assert.match(await withMode(0o700), /^problem: .*first-key\.txt -> Run: chmod 600 /m);
});
