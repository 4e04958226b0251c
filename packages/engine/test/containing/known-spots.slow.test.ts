/** Well-known spots (known-spots.tsv), and the place that people there would say they are in. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { embeddedEngine as engine } from '../../../../test/support/embedded-engine.ts';

const rows = readFileSync(new URL('known-spots.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1);

test('there are at least thirty known spots', () => {
  assert.ok(rows.length >= 30, `only ${rows.length}`);
});

for (const row of rows) {
  // `is`: `in` a settlement or `near` one; `country`: `-` for a point in no country
  const [spot, point, is, expected, country, reason] = row.split('\t');
  test(`${spot} is ${is} ${expected}: ${reason}`, () => {
    const [lat = Number.NaN, lng = Number.NaN] = point!.split(',').map(Number);
    const { hits, pointCountry } = engine.reverse({ at: { lat, lng }, limit: 20, mode: 'containing' });
    const [first] = hits;
    assert.deepEqual([first?.label, first?.isInside, pointCountry ?? '-'], [expected, is === 'in', country]);
    const others = hits.slice(1).map(({ distanceMeters = 0 }) => distanceMeters);
    assert.deepEqual(
      others,
      others.toSorted((a, b) => a - b),
    );
  });
}
