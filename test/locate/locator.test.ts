import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  checkIpDatabase,
  embeddedIpDatabasePaths,
  type IpDatabase,
  IpDatabaseError,
  readIpDatabase,
} from '../../src/locate/ip-database.ts';
import { createLocator } from '../../src/locate/locator.ts';
import { anMmdb } from '../support/mmdb.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LOCATOR = new URL('../../src/locate/locator.ts', import.meta.url).href;
const databases = embeddedIpDatabasePaths().map(readIpDatabase);
const locate = createLocator(databases);

test('a public IPv4 address is located', () => {
  assert.deepEqual(locate('8.8.8.8'), { lat: 37.422, lng: -122.085 });
});

test('a public IPv6 address is located', () => {
  const point = locate('2a00:1450:4001:830::200e');
  assert.ok(
    typeof point === 'object' && Math.abs(point.lat - 50.1) < 0.5 && Math.abs(point.lng - 8.7) < 0.5,
    'Frankfurt',
  );
});

test('an IPv4-mapped IPv6 address in any notation is the IPv4 address', () => {
  for (const spelling of ['::ffff:8.8.8.8', '::FFFF:0808:0808', '0:0:0:0:0:ffff:808:808']) {
    assert.deepEqual(locate(spelling), locate('8.8.8.8'), spelling);
  }
});

test('private, reserved and malformed addresses have no location', () => {
  for (const address of [
    '10.1.2.3',
    '192.168.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
  ]) {
    assert.equal(locate(address), undefined, address);
  }
  for (const address of ['::1', '::', 'fe80::1%eth0', 'fd00::1', 'ff02::1', '2001:db8::1', '::ffff:10.0.0.1']) {
    assert.equal(locate(address), undefined, address);
  }
  for (const address of ['', 'localhost', '8.8.8', '8.8.8.8.8', '1.2.3.4:80', ':::']) {
    assert.equal(locate(address), undefined, address);
  }
});

test('an IPv6 address is never looked up in an IPv4 file', () => {
  const onlyIpv4 = createLocator(databases.slice(0, 1));
  assert.equal(onlyIpv4('2a00:1450:4001:830::200e'), undefined);
});

test("MaxMind's nested schema is understood", () => {
  const nested = createLocator([inMemory(anMmdb({ location: { latitude: 51.5, longitude: -0.12 } }))]);
  assert.deepEqual(nested('8.8.8.8'), { lat: 51.5, lng: -0.12 });
});

test('coordinates can be strings', () => {
  assert.deepEqual(createLocator([inMemory(anMmdb({ latitude: '51.5', longitude: '-0.12' }))])('8.8.8.8'), {
    lat: 51.5,
    lng: -0.12,
  });
});

test('a record without usable coordinates gives no location', () => {
  for (const record of [
    { country: 'GB' },
    { latitude: '', longitude: '' },
    { latitude: 51.5 },
    { latitude: 91, longitude: 0 },
    { location: {} },
  ]) {
    assert.equal(createLocator([inMemory(anMmdb(record))])('8.8.8.8'), undefined, JSON.stringify(record));
  }
});

test('the first database with a location for the address is used', () => {
  const without = inMemory(anMmdb({ country: 'GB' }));
  const first = inMemory(anMmdb({ latitude: 1, longitude: 2 }));
  const second = inMemory(anMmdb({ latitude: 3, longitude: 4 }));
  assert.deepEqual(createLocator([without, first, second])('8.8.8.8'), { lat: 1, lng: 2 });
});

test('a file that is missing, foreign, empty or truncated is refused by name', (context) => {
  const folder = temporaryFolder(context);
  const foreign = join(folder, 'foreign.mmdb');
  const empty = join(folder, 'empty.mmdb');
  const truncated = join(folder, 'truncated.mmdb');
  writeFileSync(foreign, 'this is not a database');
  writeFileSync(empty, '');
  writeFileSync(truncated, anMmdb({ latitude: 1, longitude: 2 }));
  truncateSync(truncated, 60);
  for (const path of [join(folder, 'missing.mmdb'), foreign, empty, truncated]) {
    for (const read of [readIpDatabase, checkIpDatabase]) {
      assert.throws(
        () => read(path),
        (error) => error instanceof IpDatabaseError && error.message.includes(path),
      );
    }
  }
});

test('a file with an overwritten search tree is refused', (context) => {
  const path = join(temporaryFolder(context), 'damaged.mmdb');
  const bytes = anMmdb({ latitude: 1, longitude: 2 });
  bytes[8] = 0xff;
  writeFileSync(path, bytes);
  assert.throws(() => readIpDatabase(path), IpDatabaseError);
  assert.throws(() => checkIpDatabase(path), IpDatabaseError);
});

test('a checked database locates addresses once it is loaded', async (context) => {
  const path = join(temporaryFolder(context), 'copy.mmdb');
  copyFileSync(embeddedIpDatabasePaths()[0] ?? '', path);
  const { database, load } = checkIpDatabase(path);
  await load();
  assert.deepEqual(createLocator([database])('81.2.69.142'), locate('81.2.69.142'));
});

test('a database that fails to load is reported by name, and the others still work', async (context) => {
  const path = join(temporaryFolder(context), 'cut.mmdb');
  writeFileSync(path, anMmdb({ latitude: 1, longitude: 2 }));
  const { database, load } = checkIpDatabase(path);
  truncateSync(path, 60);
  await assert.rejects(load(), (error) => error instanceof IpDatabaseError && error.message.includes(path));
  const other = inMemory(anMmdb({ latitude: 3, longitude: 4 }));
  assert.deepEqual(createLocator([database, other])('8.8.8.8'), { lat: 3, lng: 4 });
});

test('a database that is overwritten before it is loaded is reported as unusable', async (context) => {
  const path = join(temporaryFolder(context), 'replaced.mmdb');
  const bytes = anMmdb({ latitude: 1, longitude: 2 });
  writeFileSync(path, bytes);
  const { load } = checkIpDatabase(path);
  writeFileSync(path, Buffer.alloc(bytes.length));
  await assert.rejects(
    load(),
    (error) =>
      error instanceof IpDatabaseError && error.message.startsWith(`${path} is not a usable MaxMind DB file (`),
  );
});

test('an address is reported as loading, without waiting, until the database is loaded', async (context) => {
  const path = join(temporaryFolder(context), 'small.mmdb');
  writeFileSync(path, anMmdb({ latitude: 1, longitude: 2 }));
  const { database, load } = checkIpDatabase(path);
  const locateIn = createLocator([database]);
  const { mock: waits } = context.mock.method(Atomics, 'wait'); // how a thread waits for another
  assert.equal(locateIn('8.8.8.8'), 'loading');
  assert.equal(waits.callCount(), 0);
  assert.equal(locateIn('127.0.0.1'), undefined);
  await load();
  assert.deepEqual(locateIn('8.8.8.8'), { lat: 1, lng: 2 });
});

test('a loaded database locates addresses while a later one is still loading', (context) => {
  const path = join(temporaryFolder(context), 'small.mmdb');
  writeFileSync(path, anMmdb({ latitude: 3, longitude: 4 }));
  const { database: later } = checkIpDatabase(path);
  const first = inMemory(anMmdb({ latitude: 1, longitude: 2 }));
  assert.deepEqual(createLocator([first, later])('8.8.8.8'), { lat: 1, lng: 2 });
  assert.equal(createLocator([later, first])('8.8.8.8'), 'loading');
});

test('other threads can use a database as soon as it is loaded', async (context) => {
  const path = join(temporaryFolder(context), 'small.mmdb');
  writeFileSync(path, anMmdb({ latitude: 1, longitude: 2 }));
  const { database, load } = checkIpDatabase(path);
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(workerData.module).then(({ createLocator }) => {
       const locate = createLocator([workerData.database]);
       parentPort.on('message', () => parentPort.postMessage(locate('8.8.8.8')));
       parentPort.postMessage('started');
     });`,
    { eval: true, workerData: { database, module: LOCATOR } },
  );
  context.after(() => thread.terminate());
  assert.deepEqual(await once(thread, 'message'), ['started']);
  thread.postMessage('locate');
  assert.deepEqual(await once(thread, 'message'), ['loading']);
  await load();
  thread.postMessage('locate');
  assert.deepEqual(await once(thread, 'message'), [{ lat: 1, lng: 2 }]);
});

test('a database read from a file gives the same locations as its bytes in memory', (context) => {
  const path = join(temporaryFolder(context), 'copy.mmdb');
  copyFileSync(embeddedIpDatabasePaths()[0] ?? '', path);
  assert.deepEqual(createLocator([readIpDatabase(path)])('81.2.69.142'), locate('81.2.69.142'));
});

function inMemory(bytes: Buffer): IpDatabase {
  const shared = new SharedArrayBuffer(bytes.length);
  bytes.copy(new Uint8Array(shared));
  return { path: 'memory', bytes: shared };
}
