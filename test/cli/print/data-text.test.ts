import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeData } from '../../../src/cli/print/data-text.ts';

const NOW = new Date('2026-11-17');
const DATA = { version: 'geonames-cities500-2023-03-05', places: 199_568 };
const TEXT = 'GeoNames cities500 of 5 March 2023 (3.7 years old), 199,568 places';

test('old data of the default index come with the command that gets newer data', () => {
  assert.equal(describeData(DATA, { index: undefined, state: 'state' }, NOW), `${TEXT}; newer: npx toponym update`);
  assert.equal(
    describeData(DATA, { index: undefined, state: "/it's here" }, NOW),
    `${TEXT}; newer: npx toponym update --state '/it'\\''s here'`,
  );
});

test('new data, and data of a given index, come without a command', () => {
  const state = 'state';
  assert.equal(describeData(DATA, { index: 'a.toponym', state }, NOW), TEXT);
  assert.equal(describeData(DATA, { index: 'embedded', state }, NOW), TEXT);
  assert.equal(
    describeData({ version: 'geonames-FR-2026-11-16', places: 2 }, { index: undefined, state }, NOW),
    'GeoNames FR of 16 November 2026 (new), 2 places',
  );
});
