import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml, JsonWriter, textFromByteString } from '../../../src/http/response/json-writer.ts';

function written(value: number): string {
  const out = new JsonWriter();
  out.number(value);
  return textFromByteString(out.toByteString());
}

test('numbers survive writing and parsing', () => {
  const coordinate = fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((e7) => e7 / 1e7);
  const value = fc.oneof(coordinate, fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(fc.property(value, (number) => assert.equal(JSON.parse(written(number)) + 0, number + 0)));
});

test('coordinates and counts are written as by JSON.stringify', () => {
  const values = [
    0,
    1,
    -1,
    9,
    10,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 53 - 1,
    48.85341,
    -95.55551,
    180,
    -180,
    -0.5,
    0.1234,
    1e-7,
    -1e-7,
    0.000001,
    1e21,
    -0,
    214.7483647,
  ];
  for (const value of values) assert.equal(written(value), JSON.stringify(value));
});

test('boxes are rounded outward to five decimals', () => {
  const degreesE7 = fc.integer({ min: -180e7, max: 180e7 });
  fc.assert(
    fc.property(degreesE7, degreesE7, degreesE7, degreesE7, (west, south, east, north) => {
      const out = new JsonWriter();
      out.box({ west: west / 1e7, south: south / 1e7, east: east / 1e7, north: north / 1e7 });
      const down = (e7: number) => Math.floor(e7 / 100) / 1e5 || 0;
      const up = (e7: number) => Math.ceil(e7 / 100) / 1e5 || 0;
      assert.equal(
        `[${textFromByteString(out.toByteString())}]`,
        JSON.stringify([down(west), down(south), up(east), up(north)]),
      );
    }),
  );
});

test('the buffer grows with long texts', () => {
  const out = new JsonWriter();
  const long = 'ü'.repeat(100_000);
  out.escaped(long);
  out.escaped('A');
  assert.equal(textFromByteString(out.toByteString()), `${long}A`);
});

/** Characters to escape, the first and last of each length in UTF-8, pairs and lone surrogates. */
const SPECIAL = [...'"\\<&\'\u0000\u007f\u0080é\u07ff\u0800東\uffff😀', '\ud800', '\udc00'];
const anyText = fc.array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string())).map((parts) => parts.join(''));

test('texts are escaped as by JSON.stringify', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const out = new JsonWriter();
      out.escaped(text);
      assert.equal(textFromByteString(out.toByteString()), JSON.stringify(text).slice(1, -1));
    }),
  );
});

test('HTML is escaped as by escapeHtml, then as by JSON.stringify', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const out = new JsonWriter();
      out.html(`x${text}y`, 1, text.length + 1);
      assert.equal(textFromByteString(out.toByteString()), JSON.stringify(escapeHtml(text)).slice(1, -1));
    }),
  );
});
