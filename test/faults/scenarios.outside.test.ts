/** Runs every scenario of `npm run faults` in its short form, in which times are not promised. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeySearch } from '../../faults/key-search.ts';
import { runScenario } from '../../faults/run-scenario.ts';
import { SCENARIOS } from '../../faults/scenarios.ts';

const SEED = 1;

for (const scenario of SCENARIOS) {
  test(`short form of ${scenario.name}: ${scenario.promise}`, async (context) => {
    const keySearch = new KeySearch();
    const { checks } = await runScenario(scenario, { scale: 'short', seed: SEED, keySearch, print: () => {} });
    assert.deepEqual(
      checks.filter(({ held }) => !held),
      [],
    );
    assert.deepEqual(keySearch.found, [], 'outputs that contain a key');
    const skipped = checks.filter(({ isSkipped }) => isSkipped);
    if (skipped.length > 0) context.skip(skipped.map(({ measured, result }) => `${measured}: ${result}`).join('; '));
  });
}
