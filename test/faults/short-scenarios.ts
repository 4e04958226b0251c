import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeySearch } from '../../faults/key-search.ts';
import { runScenario } from '../../faults/run-scenario.ts';
import type { Scenario } from '../../faults/scenario.ts';

const SEED = 1;

/** Adds a test for the short form of each scenario, in which times are not promised. */
export function testShortForms(scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) {
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
}
