import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonWriter } from '../../src/http/json-writer.ts';

const out = new JsonWriter();

function written(write: (to: JsonWriter) => unknown): unknown {
  out.clear();
  write(out);
  return JSON.parse(out.take().toString());
}

test('any text comes back as it was, whatever its letters', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(
        written((to) => to.string(text)),
        text,
      );
    }),
  );
  assert.equal(
    written((to) => to.string('half \ud800 a pair')),
    'half \ud800 a pair',
  );
});

test('a text longer than the space first set aside is written whole', () => {
  const long = 'é'.repeat(100_000);
  assert.equal(
    written((to) => to.string(long)),
    long,
  );
});

test('any number comes back as it was; coordinates are written as decimals', () => {
  const numbers = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((e7) => e7 / 1e7),
  );
  fc.assert(
    fc.property(numbers, (number) => {
      assert.equal(
        written((to) => to.number(number)),
        number === 0 ? 0 : number,
      );
    }),
  );
  out.clear();
  out.number(-0.0000001).raw(' ').number(48.85341).raw(' ').number(-120).raw(' ').number(1e-9);
  assert.equal(out.take().toString(), '-0.0000001 48.85341 -120 1e-9');
});

test('what was taken stays when the next answer is written', () => {
  out.clear();
  const first = out.strings(['a', '"']).take();
  out.clear();
  const second = out.value({ b: [1] }).take();
  assert.deepEqual([String(first), String(second)], ['["a","\\""]', '{"b":[1]}']);
});
