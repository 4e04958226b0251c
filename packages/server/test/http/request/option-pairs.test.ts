import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readForm } from '../../../src/http/request/option-pairs.ts';

function pairsOf(text: string): [string, string][] {
  const pairs: [string, string][] = [];
  readForm(text, (name, value) => pairs.push([name, value]));
  return pairs;
}

test('a form is pairs between ampersands, each split at its first equals sign', () => {
  assert.deepEqual(pairsOf('a=1&b&c=&=d&e=f=g&&'), [
    ['a', '1'],
    ['b', ''],
    ['c', ''],
    ['', 'd'],
    ['e', 'f=g'],
  ]);
  const unit = fc.constantFrom('a', 'b', '=', '&', '-');
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const pieces = text.split('&').filter((piece) => piece !== '');
      assert.deepEqual(
        pairsOf(text),
        pieces.map((piece) => [piece.split('=')[0], piece.split('=').slice(1).join('=')]),
      );
    }),
  );
});

test('names and values may be escaped', () => {
  assert.deepEqual(pairsOf('a%20b+c=S%C3%A3o+Paulo'), [['a b c', 'São Paulo']]);
  assert.deepEqual(pairsOf(Buffer.from('a=São+1').toString('latin1')), [['a', 'São 1']]);
});
