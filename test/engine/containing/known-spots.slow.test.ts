import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../../src/engine/open-engine.ts';
import { readIndexFile } from '../../../src/index-file/file.ts';
import { loadWorldBorders } from '../../../src/place/load-world-borders.ts';
import { builtIndex } from '../../support/built-index.ts';
import { KNOWN_SPOTS } from './known-spots.ts';

const engine = openEngine(readIndexFile(await builtIndex()), undefined, { loadBorders: loadWorldBorders });

test('there are at least thirty known spots', () => {
  assert.ok(KNOWN_SPOTS.length >= 30, `only ${KNOWN_SPOTS.length}`);
});

for (const { spot, lat, lng, expected, isInside, country, reason } of KNOWN_SPOTS) {
  test(`${spot} is ${isInside ? 'in' : 'near'} ${expected}: ${reason}`, () => {
    const { hits, pointCountry } = engine.reverse({ at: { lat, lng }, limit: 20, mode: 'containing' });
    const [first] = hits;
    assert.deepEqual([first?.label, first?.isInside, pointCountry], [expected, isInside, country]);
    const others = hits.slice(1).map(({ distanceMeters = 0 }) => distanceMeters);
    assert.deepEqual(
      others,
      others.toSorted((a, b) => a - b),
    );
  });
}
