import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataDate } from '../../../src/serve/reload/data-date.ts';

test('the date of data is the newest date in their version', () => {
  assert.deepEqual(dataDate('geonames-cities500-2023-03-05'), new Date('2023-03-05'));
  assert.deepEqual(dataDate('a-2023-03-05-b-2024-01-02+overlay-1234'), new Date('2024-01-02'));
});

test('a version without a valid date has none', () => {
  for (const version of ['', 'one', 'overlay-12345678', '2023-13-45']) assert.equal(dataDate(version), undefined);
});
