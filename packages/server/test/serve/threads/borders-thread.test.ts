import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorldBorders } from 'toponym-engine/place/world-borders';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { runInThread } from 'toponym-files/thread';
import type { shareBorderTables } from '../../../src/serve/threads/borders-thread.ts';

const THREAD = new URL('../../../src/serve/threads/borders-thread.ts', import.meta.url);

test('the borders of the thread are in shared memory and those that a thread loads itself', async () => {
  const { codes, allCodes, ...arrays } = await runInThread<typeof shareBorderTables>(THREAD, undefined);
  for (const array of Object.values(arrays)) assert.ok(array.buffer instanceof SharedArrayBuffer);
  const shared = openWorldBorders({ codes, allCodes, ...arrays });
  const own = loadWorldBorders();
  for (let lat = -89; lat < 90; lat += 2) {
    for (let lng = -179; lng < 180; lng += 2) assert.equal(shared.countryAt(lat, lng), own.countryAt(lat, lng));
  }
  assert.deepEqual(shared.countriesWithinError(51.15, 15), own.countriesWithinError(51.15, 15));
});
