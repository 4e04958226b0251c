import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkIpDatabases } from '../../src/locate/ip-database.ts';
import { createLocator } from '../../src/locate/locator.ts';
import { anApp } from '../http/an-app.ts';
import { anMmdb } from '../support/mmdb.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a search by IP address runs without a point while the IP data loads, and with one afterwards', async (t) => {
  const path = join(temporaryFolder(t), 'ip.mmdb');
  writeFileSync(path, anMmdb({ latitude: 33.5, longitude: -95.5 }));
  const databases = checkIpDatabases([path], assert.fail);
  const { post } = anApp(t, { locate: createLocator(databases.map(({ database }) => database)) });
  const search = async () => (await post('query', 'query=paris&aroundLatLngViaIP=8.8.8.8')).json();

  const early = await search();
  assert.match(early.message, /8\.8\.8\.8 could not be located because the IP data is still loading/);
  assert.equal(early.aroundLatLng, undefined);
  assert.deepEqual(idsOf(early), ['G2988507', 'G4717560'], 'the more populous Paris is first');

  for (const { load } of databases) await load();
  const located = await search();
  assert.equal(located.message, undefined);
  assert.equal(located.aroundLatLng, '33.5,-95.5');
  assert.deepEqual(idsOf(located), ['G4717560', 'G2988507'], 'the nearer Paris is first');
});

test('the setting none selects no IP database', () => {
  assert.deepEqual(checkIpDatabases(['none'], assert.fail), []);
});

function idsOf({ hits }: { hits: { objectID: string }[] }): string[] {
  return hits.map(({ objectID }) => objectID);
}
