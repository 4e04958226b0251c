import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  checkIpDatabase,
  embeddedIpDatabasePaths,
  type IpDatabase,
  IpDatabaseError,
  readIpDatabase,
} from '../../src/locate/ip-database.ts';
import { createLocator } from '../../src/locate/locator.ts';
import type { LatLng } from '../../src/place/sphere.ts';
import { anMmdb } from '../support/mmdb.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LOCATOR = new URL('../../src/locate/locator.ts', import.meta.url).href;
const databases = embeddedIpDatabasePaths().map(readIpDatabase);
const locate = createLocator(databases);

test('public addresses are located, and an IPv4 address in any notation of IPv6', () => {
  const google = { lat: 37.422, lng: -122.085 };
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '::FFFF:0808:0808', '0:0:0:0:0:ffff:808:808']) {
    assert.deepEqual(locate(address), google, address);
  }
  const { lat, lng } = locate('2a00:1450:4001:830::200e') as LatLng;
  assert.ok(Math.abs(lat - 50.1) < 0.5 && Math.abs(lng - 8.7) < 0.5, 'Frankfurt');
});

const PRIVATE = '10.1.2.3 192.168.0.1 127.0.0.1 169.254.1.1 100.64.0.1 0.0.0.0 255.255.255.255'.split(' ');
const PRIVATE_IPV6 = '::1 :: fe80::1%eth0 fd00::1 ff02::1 2001:db8::1 ::ffff:10.0.0.1'.split(' ');
const MALFORMED = ['', 'localhost', '8.8.8', '8.8.8.8.8', '1.2.3.4:80', ':::'];

test('private, reserved and malformed addresses have no location', () => {
  for (const address of [...PRIVATE, ...PRIVATE_IPV6, ...MALFORMED]) assert.equal(locate(address), undefined, address);
});

test('an IPv6 address is never looked up in an IPv4 file', () => {
  const onlyIpv4 = createLocator(databases.slice(0, 1));
  assert.equal(onlyIpv4('2a00:1450:4001:830::200e'), undefined);
});

test('records may be nested, have coordinates as strings, or none that are usable', () => {
  const london = { lat: 51.5, lng: -0.12 };
  for (const [record, point] of [
    [{ location: { latitude: 51.5, longitude: -0.12 } }, london], // MaxMind's schema
    [{ latitude: '51.5', longitude: '-0.12' }, london],
    [{ country: 'GB' }, undefined],
    [{ latitude: '', longitude: '' }, undefined],
    [{ latitude: 51.5 }, undefined],
    [{ latitude: 91, longitude: 0 }, undefined],
    [{ location: {} }, undefined],
  ] as const) {
    assert.deepEqual(createLocator([inMemory(anMmdb(record))])('8.8.8.8'), point, JSON.stringify(record));
  }
});

test('the first database with a location for the address is used', () => {
  const without = inMemory(anMmdb({ country: 'GB' }));
  const first = inMemory(anMmdb({ latitude: 1, longitude: 2 }));
  const second = inMemory(anMmdb({ latitude: 3, longitude: 4 }));
  assert.deepEqual(createLocator([without, first, second])('8.8.8.8'), { lat: 1, lng: 2 });
});

test('a file that is missing, foreign, empty, truncated or damaged is refused by name', (context) => {
  const folder = temporaryFolder(context);
  const whole = anMmdb({ latitude: 1, longitude: 2 });
  const damaged = Buffer.from(whole);
  damaged[8] = 0xff; // in the search tree
  const files = { foreign: 'this is not a database', empty: '', truncated: whole.subarray(0, 60), damaged };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  for (const name of ['missing', ...Object.keys(files)]) {
    const path = join(folder, name);
    for (const read of [readIpDatabase, checkIpDatabase]) {
      assert.throws(
        () => read(path),
        (error) => error instanceof IpDatabaseError && error.message.includes(path),
      );
    }
  }
});

/** Checks a file of its own, with these coordinates for every address. */
function aChecked(context: TestContext, latitude: number, longitude: number) {
  const path = join(temporaryFolder(context), 'small.mmdb');
  writeFileSync(path, anMmdb({ latitude, longitude }));
  return { path, ...checkIpDatabase(path) };
}

test('a database that is read, or checked and then loaded, locates addresses like its bytes in memory', async (context) => {
  const path = join(temporaryFolder(context), 'copy.mmdb');
  copyFileSync(embeddedIpDatabasePaths()[0] ?? '', path);
  const { database, load } = checkIpDatabase(path);
  await load();
  for (const each of [database, readIpDatabase(path)]) {
    assert.deepEqual(createLocator([each])('81.2.69.142'), locate('81.2.69.142'));
  }
});

test('a database that fails to load is reported by name, and the others still work', async (context) => {
  const { path, database, load } = aChecked(context, 1, 2);
  truncateSync(path, 60);
  await assert.rejects(load(), (error) => error instanceof IpDatabaseError && error.message.includes(path));
  const other = inMemory(anMmdb({ latitude: 3, longitude: 4 }));
  assert.deepEqual(createLocator([database, other])('8.8.8.8'), { lat: 3, lng: 4 });
});

test('a database that is overwritten before it is loaded is reported as unusable', async (context) => {
  const { path, database, load } = aChecked(context, 1, 2);
  writeFileSync(path, Buffer.alloc(database.bytes.byteLength));
  await assert.rejects(
    load(),
    (error) =>
      error instanceof IpDatabaseError && error.message.startsWith(`${path} is not a usable MaxMind DB file (`),
  );
});

test('an address is reported as loading, without waiting, until the database is loaded', async (context) => {
  const { database, load } = aChecked(context, 1, 2);
  const locateIn = createLocator([database]);
  const { mock: waits } = context.mock.method(Atomics, 'wait'); // how a thread waits for another
  assert.equal(locateIn('8.8.8.8'), 'loading');
  assert.equal(waits.callCount(), 0);
  assert.equal(locateIn('127.0.0.1'), undefined);
  await load();
  assert.deepEqual(locateIn('8.8.8.8'), { lat: 1, lng: 2 });
});

test('a loaded database locates addresses while a later one is still loading', (context) => {
  const { database: later } = aChecked(context, 3, 4);
  const first = inMemory(anMmdb({ latitude: 1, longitude: 2 }));
  assert.deepEqual(createLocator([first, later])('8.8.8.8'), { lat: 1, lng: 2 });
  assert.equal(createLocator([later, first])('8.8.8.8'), 'loading');
});

test('other threads can use a database as soon as it is loaded', async (context) => {
  const { database, load } = aChecked(context, 1, 2);
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

function inMemory(bytes: Buffer): IpDatabase {
  const shared = new SharedArrayBuffer(bytes.length);
  bytes.copy(new Uint8Array(shared));
  return { path: 'memory', bytes: shared };
}
