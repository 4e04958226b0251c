import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../src/errors/errors.ts';
import { IpDatabaseError, openIpDatabase, openIpDatabases } from '../../src/locate/ip-database.ts';
import { createLocator } from '../../src/locate/locator.ts';
import { anApp } from '../http/an-app.ts';
import { anMmdb } from '../support/mmdb.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  const files = { foreign: 'this is not a database', empty: '', truncated: whole.subarray(0, 60), damagedSeparator };
  const reasons = { foreign: /no metadata/, empty: /no metadata/, truncated: /no metadata/, damagedSeparator: /tree/ };
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
