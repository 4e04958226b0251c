import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasColor } from '../../../src/cli/print/color.ts';

test('a terminal gets colours, and a pipe does not', () => {
  assert.equal(hasColor({ isTTY: true }, {}), true);
  assert.equal(hasColor({ isTTY: false }, {}), false);
  assert.equal(hasColor({}, {}), false);
});

test('NO_COLOR, FORCE_COLOR and TERM decide', () => {
  for (const [env, onTerminal, onPipe] of [
    [{ NO_COLOR: '1' }, false, false],
    [{ NO_COLOR: '0' }, false, false],
    [{ NO_COLOR: '' }, true, false],
    [{ FORCE_COLOR: '1' }, true, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ FORCE_COLOR: 'false' }, false, false],
    [{ FORCE_COLOR: '' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
    [{ TERM: 'dumb' }, false, false],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
  ] as const) {
    const got = [hasColor({ isTTY: true }, env), hasColor({ isTTY: false }, env)];
    assert.deepEqual(got, [onTerminal, onPipe], JSON.stringify(env));
  }
});
