import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closestSpelling } from '../../src/text/typo-matcher.ts';

const closest = (name: string, text: string, maxTypos: number, isPrefix = false) =>
  closestSpelling(name, text, { maxTypos, isPrefix });

test('the spelling with the fewest typos is found', () => {
  assert.deepEqual(closest('Saint Petersburg', 'st petersbrg', 2), {
    spelling: 'st petersburg',
    from: 0,
    to: 11,
    typos: 1,
  });
  assert.deepEqual(closest('Düsseldorf', 'duesseldrof', 2), { spelling: 'duesseldorf', from: 0, to: 10, typos: 1 });
  assert.deepEqual(closest('Düsseldorf', 'dusseldorf', 2), { spelling: 'dusseldorf', from: 0, to: 10, typos: 0 });
});

test('the text may start at a later word, and with isPrefix may be unfinished', () => {
  assert.deepEqual(closest('San Francisco', 'fransisco', 1), { spelling: 'san francisco', from: 4, to: 12, typos: 1 });
  assert.deepEqual(closest('San Francisco', 'franz', 1, true), { spelling: 'san francisco', from: 4, to: 8, typos: 1 });
  assert.equal(closest('San Francisco', 'franz', 1), undefined);
});

test('a name that has more typos is not found', () => {
  assert.equal(closest('Mumbai', 'bombey', 2), undefined);
  assert.equal(closest('Москва', 'moskva', 2), undefined);
});
