/** Runs scenarios of `npm run faults` in their short form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeySearch } from '../../faults/key-search.ts';
import { runScenario } from '../../faults/run-scenario.ts';
import type { Scenario } from '../../faults/scenario.ts';

const SEED = 1;

/** Fails if the promise is not kept, or if an output contains a key. */
export function testScenario(scenario: Scenario): void {
  test(`short form of ${scenario.name}: ${scenario.promise}`, { timeout: 120_000 }, async (context) => {
    const keySearch = new KeySearch();
    const print = (line: string) => context.diagnostic(line);
    const { checks } = await runScenario(scenario, { scale: 'short', seed: SEED, keySearch, print });
    const notKept = checks.filter(({ held }) => !held);
    assert.deepEqual(notKept, []);
    assert.deepEqual(keySearch.found, [], 'outputs that contain a key');
    const skipped = checks.filter(({ isSkipped }) => isSkipped);
    if (skipped.length > 0) context.skip(skipped.map(({ measured, result }) => `${measured}: ${result}`).join('; '));
  });
}
