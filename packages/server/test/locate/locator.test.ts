import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { LatLng } from 'toponym-engine/place/sphere';
import { anMmdb, type Value } from '../../../../test/support/mmdb.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { embeddedIpDatabasePaths, openIpDatabase } from '../../src/locate/ip-database.ts';
import { createLocator } from '../../src/locate/locator.ts';

const LOCATOR = new URL('../../src/locate/locator.ts', import.meta.url).href;
const databases = embeddedIpDatabasePaths().map(openIpDatabase);
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

test('records may be nested, have coordinates as strings, or none that are usable', (context) => {
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
    assert.deepEqual(createLocator([aDatabase(context, record)])('8.8.8.8'), point, JSON.stringify(record));
  }
});

test('the first database with a location for the address is used', (context) => {
  const without = aDatabase(context, { country: 'GB' });
  const first = aDatabase(context, { latitude: 1, longitude: 2 });
  const second = aDatabase(context, { latitude: 3, longitude: 4 });
  assert.deepEqual(createLocator([without, first, second])('8.8.8.8'), { lat: 1, lng: 2 });
});

test('other threads read the file that one thread has opened', async (context) => {
  const database = aDatabase(context, { latitude: 1, longitude: 2 });
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(workerData.module).then(({ createLocator }) => {
       parentPort.postMessage(createLocator([workerData.database])('8.8.8.8'));
     });`,
    { eval: true, workerData: { database, module: LOCATOR } },
  );
  assert.deepEqual(await once(thread, 'message'), [{ lat: 1, lng: 2 }]);
});

/** A file of its own, with this record for every address. */
function aDatabase(context: TestContext, record: Value) {
  const path = join(temporaryFolder(context), 'small.mmdb');
  writeFileSync(path, anMmdb(record));
  const database = openIpDatabase(path);
  context.after(() => closeSync(database.file));
  return database;
}
