import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRunOptions } from '../../faults/run-options.ts';
import type { Scenario } from '../../faults/scenario.ts';

const SCENARIOS: readonly Scenario[] = ['a', 'b'].map((name) => ({ name, promise: '', run: async () => [] }));

test('all scenarios run in full unless the options say otherwise', () => {
  const all = parseRunOptions([], SCENARIOS);
  assert.ok(all !== 'help');
  assert.deepEqual([all.scenarios, all.scale], [SCENARIOS, 'full']);
  assert.deepEqual(parseRunOptions(['--only', 'b', '--short', '--seed', '7'], SCENARIOS), {
    scenarios: [SCENARIOS[1]],
    scale: 'short',
    seed: 7,
  });
  assert.equal(parseRunOptions(['--help'], SCENARIOS), 'help');
});

test('wrong options are refused with what would work', () => {
  for (const [args, message] of [
    [['--only', 'c'], /^--only: must be one of a, b, got "c"$/],
    [['--seed', 'x'], /^--seed: must be an integer from 0 to 2147483647, got "x"$/],
    [['--seed', '2147483648'], /^--seed: must be/],
    [['--all'], /Unknown option '--all'/],
  ] as const) {
    assert.throws(() => parseRunOptions(args, SCENARIOS), { message });
  }
});
