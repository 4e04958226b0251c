import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOverlay } from '../../../src/sources/overlay/lines.ts';

test('one error names all invalid lines', () => {
  assert.throws(() => parseOverlay('{\n{"hide":"G1"}\n[]', 'f'), { message: /^f:1: .*\nf:3: /s });
});

test('each change records its file and line', () => {
  const lines = parseOverlay('\n{"hide":"G1"}', 'f');
  assert.deepEqual(lines, [{ at: 'f:2', change: { kind: 'hide', id: 'G1' } }]);
});

test('a byte order mark is ignored', () => {
  assert.equal(parseOverlay('\ufeff{"hide":"G1"}', 'f').length, 1);
});
