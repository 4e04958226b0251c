import assert from 'node:assert/strict';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { threadId } from 'node:worker_threads';
import { UsageError } from 'toponym-files/errors/errors';
import { temporaryPrefix } from 'toponym-files/replace-file';
import { anMmdb, anMmdbOf } from '../../../../test/support/mmdb.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import {
  closeIpDatabases,
  IpDatabaseError,
  openIpDatabase,
  openIpDatabases,
  openServedIpDatabases,
} from '../../src/locate/ip-database.ts';
import { createLocator } from '../../src/locate/locator.ts';
import { anApp } from '../http/an-app.ts';

test('a search by IP address moves the places near it up', async (t) => {
  const path = join(temporaryFolder(t), 'ip.mmdb');
  writeFileSync(path, anMmdb({ latitude: 33.5, longitude: -95.5 }));
  const { post } = anApp(t, { locate: createLocator(openIpDatabases([path], assert.fail)) });
  const located = (await post('query', 'query=paris&aroundLatLngViaIP=8.8.8.8')).json();
  assert.equal(located.aroundLatLng, '33.5,-95.5');
  const ids = located.hits.map(({ objectID }: { objectID: string }) => objectID);
  assert.deepEqual(ids, ['G4717560', 'G2988507'], 'the nearer Paris comes before the more populous one');
});

test('the setting none selects no IP database', () => {
  assert.deepEqual(openIpDatabases(['none'], assert.fail), []);
});

test('a file that is missing, foreign, empty, truncated or damaged is refused by name', (context) => {
  const folder = temporaryFolder(context);
  const whole = anMmdb({ latitude: 1, longitude: 2 });
  const damagedSeparator = Buffer.from(whole);
  damagedSeparator[8] = 0xff;
  // as a download leaves it that writes the end of a file before its beginning: 4 of 14 nodes are zero bytes
  const hole = anMmdbOf({ '0000': 1, '001': 2, '0101010': 3, '1': 4, '01111': 5 }, { recordBits: 32, ipVersion: 4 });
  hole.fill(0, 4, 40);
  const files = { foreign: 'this is not a database', empty: '', cutOff: whole.subarray(0, 60), damagedSeparator, hole };
  const reasons = {
    foreign: /no metadata/,
    empty: /no metadata/,
    cutOff: /no metadata/,
    damagedSeparator: /tree/,
    hole: /tree has no end/,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  for (const [name, reason] of Object.entries({ missing: /no such file/, ...reasons })) {
    const path = join(folder, name);
    const isExpected = (error: Error) => error.message.includes(path) && reason.test(error.message);
    assert.throws(
      () => openIpDatabase(path),
      (error: Error) => error instanceof IpDatabaseError && isExpected(error),
    );
    assert.throws(
      () => openIpDatabases([path], assert.fail),
      (error: Error) => error instanceof UsageError && isExpected(error),
    );
  }
});

test('a service locates addresses by its copy after the file was cut off, and leaves no copy behind', async (context) => {
  const [folder, state] = [temporaryFolder(context), temporaryFolder(context)];
  const path = join(folder, 'ip.mmdb');
  writeFileSync(path, anMmdb({ latitude: 1, longitude: 2 }));
  // as a process leaves it that is killed while it copies
  writeFileSync(join(state, `${temporaryPrefix('ip-database')}${process.pid}-${threadId}-0.tmp`), 'half a copy');
  const databases = await openServedIpDatabases([path, path], state, assert.fail);
  context.after(() => closeIpDatabases(databases));
  truncateSync(path, 10);
  assert.deepEqual(createLocator(databases)('8.8.8.8'), { lat: 1, lng: 2 });
  assert.deepEqual([readdirSync(state), databases.map((database) => database.path)], [[], [path, path]]);
  await assert.rejects(openServedIpDatabases([path], state, assert.fail), UsageError);
});

test('a file that cannot be copied is read in place, with a warning', async (context) => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'ip.mmdb');
  writeFileSync(path, anMmdb({ latitude: 1, longitude: 2 }));
  const warnings: string[] = [];
  const databases = await openServedIpDatabases([path], join(folder, 'missing'), (text) => warnings.push(text));
  context.after(() => closeIpDatabases(databases));
  assert.deepEqual(createLocator(databases)('8.8.8.8'), { lat: 1, lng: 2 });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /ip\.mmdb is read in place, because it cannot be copied \(no such file/);
});
