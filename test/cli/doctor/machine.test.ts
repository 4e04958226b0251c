import assert from 'node:assert/strict';
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkClock } from '../../../src/cli/doctor/clock.ts';
import { checkDescriptors } from '../../../src/cli/doctor/descriptors.ts';
import { checkDisk } from '../../../src/cli/doctor/disk.ts';
import { checkMemory, memoryNeed } from '../../../src/cli/doctor/memory.ts';
import { checkProcessors } from '../../../src/cli/doctor/processors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aContext, levelsOf, linesOf } from './a-context.ts';

test('more threads than cores are a warning', (context) => {
  const doctor = aContext(context, { flags: { threads: '4' } });
  assert.deepEqual(linesOf(checkProcessors(doctor, 4)), ['ok: 4 worker threads, 4 usable cores']);
  const [line = ''] = linesOf(checkProcessors(doctor, 1));
  assert.match(line, /^warning: 4 worker threads, 1 usable core -> Set --threads 1/);
});

test('the limit of descriptors must cover 10,000 connections, however many threads there are', (context) => {
  for (const threads of ['1', '64']) {
    const doctor = aContext(context, { flags: { threads } });
    const limits = [100, 1024, 10_511, 10_512, 65_536, Number.POSITIVE_INFINITY];
    assert.deepEqual(
      limits.map((limit) => checkDescriptors(doctor, limit)[0]?.level),
      ['problem', 'warning', 'warning', 'ok', 'ok', 'ok'],
    );
    assert.equal(linesOf(checkDescriptors(doctor, 65_536))[0], 'ok: limit 65,536: enough for 65,024 connections');
    assert.match(
      linesOf(checkDescriptors(doctor, 1024))[0] ?? '',
      /: enough for only 512 connections -> .*LimitNOFILE/,
    );
  }
});

test('the limit of memory is compared with index, IP data and threads', (context) => {
  const index = `${context.name}.toponym`;
  const doctor = aContext(context, { flags: { threads: '2', ipDatabase: 'none', index } });
  const { idleBytes, busyBytes } = memoryNeed(doctor);
  assert.ok(idleBytes > 100e6);
  const [cacheBytes, rateCounterBytes] = [128e6, 192 * 2 ** 20];
  assert.ok(busyBytes > idleBytes + cacheBytes + rateCounterBytes);
  const [line = ''] = linesOf(checkMemory(doctor, { limitBytes: 4e9, availableBytes: 4e9 }));
  assert.match(line, /; the service takes about \S+ MB when idle and up to about \S+ MB at full load/);
  const levelAt = (limitBytes: number, availableBytes: number) =>
    checkMemory(doctor, { limitBytes, availableBytes })[0]?.level;
  assert.equal(levelAt(idleBytes - 1, idleBytes - 1), 'problem');
  assert.equal(levelAt(busyBytes - 1, busyBytes - 1), 'warning');
  assert.equal(levelAt(busyBytes, idleBytes - 1), 'warning');
  assert.equal(levelAt(busyBytes, idleBytes), 'ok');
});

test('the memory of an idle service is what was measured with 1, 2 and 4 threads', (context) => {
  const index = aContext(context).state.path;
  writeFileSync(index, '');
  truncateSync(index, 82.5e6);
  for (const [threads, measuredBytes] of [
    ['1', 238e6],
    ['2', 289e6],
    ['4', 382e6],
  ] as const) {
    const { idleBytes } = memoryNeed(aContext(context, { flags: { threads, ipDatabase: 'none', index } }));
    assert.ok(Math.abs(idleBytes / measuredBytes - 1) < 0.05, `${threads}: ${idleBytes}`);
  }
});

test('a first start needs the memory to build the embedded index', (context) => {
  // a cache without the index
  context.mock.property(process, 'env', { ...process.env, XDG_CACHE_HOME: temporaryFolder(context) });
  const doctor = aContext(context, { flags: { threads: '1', ipDatabase: 'none' } });
  const lineAt = (bytes: number) => linesOf(checkMemory(doctor, { limitBytes: bytes, availableBytes: bytes }))[0] ?? '';
  assert.match(lineAt(500e6), /^problem: limit 500\.0 MB; the first start builds an index.* -> Raise the limit/);
  assert.match(lineAt(1500e6), /^ok: /);
});

test('more threads and a larger index need more memory', (context) => {
  const need = (threads: string, index: string) => memoryNeed(aContext(context, { flags: { threads, index } }));
  const file = aContext(context).state.path;
  writeFileSync(file, Buffer.alloc(1_000_000));
  assert.equal(need('1', file).idleBytes - need('1', 'missing').idleBytes, 1_000_000);
  assert.equal(need('1', file).busyBytes - need('1', 'missing').busyBytes, 2_000_000);
  assert.ok(need('4', file).idleBytes > need('1', file).idleBytes);
});

test('a date before this program existed, or far in the future, is a problem', (context) => {
  for (const date of ['1970-01-02', '2025-12-31', '2101-01-01']) {
    const [line = ''] = linesOf(checkClock(aContext(context, { now: new Date(date) })));
    assert.match(line, /^problem: it shows .*, which cannot be right -> Set the clock/);
  }
  assert.deepEqual(levelsOf(checkClock(aContext(context, { now: new Date('2027-01-01') }))), ['ok']);
});

test('a key store from the future shows that the clock is behind', (context) => {
  const doctor = aContext(context, { now: new Date('2027-01-01') });
  mkdirSync(doctor.state.path);
  writeFileSync(doctor.state.keysPath, '');
  const later = new Date('2027-01-01T02:00:00Z');
  utimesSync(doctor.state.keysPath, later, later);
  assert.match(linesOf(checkClock(doctor))[0] ?? '', /^problem: .*keys\.sqlite was written later/);
});

test('a full disk is a problem, and little room a warning', (context) => {
  const doctor = aContext(context);
  const levelWith = (megabytes: number, ffree = 5) =>
    checkDisk(doctor, () => ({ bavail: megabytes * 256, bsize: 4096, files: 10, ffree }))[0]?.level;
  assert.deepEqual([levelWith(1), levelWith(100), levelWith(1000)], ['problem', 'warning', 'ok']);
  assert.equal(levelWith(1000, 0), 'problem');
});
