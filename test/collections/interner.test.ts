import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interner } from '../../src/collections/interner.ts';
import { seededRandom } from '../support/seeded-random.ts';

test('equal strings get one number, in the order of first use', () => {
  const random = seededRandom(4);
  const interner = new Interner();
  const seen = [''];
  for (let round = 0; round < 1_000; round++) {
    const text = `text ${random(200)}`;
    if (!seen.includes(text)) seen.push(text);
    assert.equal(interner.intern(text), seen.indexOf(text));
  }
  assert.deepEqual(interner.strings, seen);
});

test('the empty string is number 0', () => {
  const interner = new Interner();
  assert.equal(interner.intern('a'), 1);
  assert.equal(interner.intern(''), 0);
});

test('names of object properties are strings like any other', () => {
  const interner = new Interner();
  assert.deepEqual(
    ['constructor', '__proto__', 'constructor'].map((text) => interner.intern(text)),
    [1, 2, 1],
  );
});
