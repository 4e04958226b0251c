import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, exactly, figure, skipped } from '../../faults/checks.ts';
import { KeySearch } from '../../faults/key-search.ts';
import { resultsPage } from '../../faults/results-table.ts';
import { runScenario } from '../../faults/run-scenario.ts';
import type { Scenario } from '../../faults/scenario.ts';

function runIt(run: Scenario['run']) {
  const settings = { scale: 'short', seed: 1, keySearch: new KeySearch(), print: () => {} } as const;
  return runScenario({ name: 'a', promise: 'It works.', run }, settings);
}

test('a promise is kept if every check holds, and clean-ups run in reverse order', async () => {
  const order: number[] = [];
  const { held } = await runIt(async ({ after }) => {
    after(() => order.push(1));
    after(() => order.push(2));
    return [figure('calls', '5'), exactly('lost', 0, 0)];
  });
  assert.equal(held, true);
  assert.deepEqual(order, [2, 1]);
});

test('a promise is not kept if a check fails, or if the scenario or its clean-up throws', async () => {
  const format = (value: number) => `${value} s`;
  assert.equal((await runIt(async () => [atMost('wait', 2, 1, format)])).held, false);
  const broken = await runIt(async () => Promise.reject(new Error('out of order')));
  assert.deepEqual([broken.held, broken.checks[0]?.result], [false, 'out of order']);
  const unclean = await runIt(async ({ after }) => {
    after(() => Promise.reject(new Error('still running')));
    return [];
  });
  assert.equal(unclean.held, false);
});

test('a skipped check holds, except in continuous integration', (t) => {
  const before = process.env.CI;
  t.after(() => {
    if (before === undefined) delete process.env.CI;
    else process.env.CI = before;
  });
  delete process.env.CI;
  assert.equal(skipped('a full disk', 'only root can').held, true);
  process.env.CI = 'true';
  assert.equal(skipped('a full disk', 'only root can').held, false);
});

test('the page of results has a row per check, and names what was not kept', async () => {
  const result = await runIt(async () => [exactly('lost', 1, 0), figure('calls | all', '5')]);
  const rows = ['| `a`: It works. | lost | **not kept:** 1 | 0 |', '|  | calls \\| all | 5 |  |'];
  const table = ['| scenario | measured | result | promised |', '| --- | --- | --- | --- |', ...rows].join('\n');
  assert.ok(resultsPage('Today.', [result]).endsWith(`\n\nToday.\n\n${table}\n`));
});

test('checks with the same result and promise share a row, which names their subject once', async () => {
  const result = await runIt(async () => [
    exactly('disk: lost', 0, 0),
    figure('calls', '5'),
    exactly('disk: cut', 0, 0),
  ]);
  const rows = ['| `a`: It works. | disk: lost; cut | 0 | 0 |', '|  | calls | 5 |  |'];
  assert.ok(resultsPage('Today.', [result]).endsWith(`\n${rows.join('\n')}\n`));
});
