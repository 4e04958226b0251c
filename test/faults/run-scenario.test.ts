import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, behaves, exactly, figure, skipped } from '../../faults/checks.ts';
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

test('the page of results has a line per promise and per skipped check, and names what was not kept', async () => {
  const promised = 'exit code 1';
  const result = await runIt(async () => [
    exactly('lost', 1, 0),
    figure('calls', '5'),
    { ...skipped('a clock', 'only Linux has it'), held: true },
    atMost('wait', 1, 2, (value) => `${value} s`),
    behaves('a full disk', promised, undefined),
    behaves('a broken file', promised, 'it starts'),
  ]);
  const lines = [
    '- **not kept** lost: 1 (0)',
    '- a clock: skipped: only Linux has it',
    '- ✓ wait: 1 s (at most 2 s)',
    '- ✓ a full disk: exit code 1',
    '- **not kept** a broken file: it starts (exit code 1)',
  ];
  assert.ok(resultsPage('Today.', [result]).endsWith(`\n\nToday.\n\n## a\n\nIt works.\n\n${lines.join('\n')}\n`));
});

test('checks with the same result and promise share a line, which names their subject once', async () => {
  const result = await runIt(async () => [
    exactly('disk: lost', 0, 0),
    figure('calls', '5'),
    exactly('disk: cut', 0, 0),
  ]);
  assert.ok(resultsPage('Today.', [result]).endsWith('\n- ✓ disk: lost; cut: 0\n'));
});
