import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes, hashText } from '../../src/collections/hash.ts';
import { seededRandom } from '../support/seeded-random.ts';

/** FNV-1a in arbitrary precision, and its high bits folded into the low ones. */
function plainHash(units: Iterable<number>): number {
  let hash = 0x811c9dc5n;
  for (const unit of units) hash = ((hash ^ BigInt(unit)) * 0x01000193n) & 0xffff_ffffn;
  return Number(BigInt.asIntN(32, hash ^ (hash >> 15n)));
}

test('FNV-1a of "foobar" is the published value, folded', () => {
  const published = 0xbf9cf968;
  assert.equal(hashText('foobar'), published ^ (published >>> 15));
  assert.equal(hashBytes(Buffer.from('foobar'), 0, 6), published ^ (published >>> 15));
});

test('hashes are those of arbitrary-precision arithmetic', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 500; round++) {
    const units = Array.from({ length: random(20) }, () => random(0x1_0000));
    assert.equal(hashText(String.fromCharCode(...units)), plainHash(units));
    const bytes = Uint8Array.from(units);
    const start = random(bytes.length + 1);
    const end = start + random(bytes.length - start + 1);
    assert.equal(hashBytes(bytes, start, end), plainHash(bytes.subarray(start, end)));
  }
});

test('a seed makes equal strings hash differently', () => {
  assert.notEqual(hashText('paris', hashText('FR')), hashText('paris', hashText('US')));
});
