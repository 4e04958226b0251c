import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StringList, StringPool } from '../../src/build/string-pool.ts';

test('equal strings are stored once, and strings are copied between pools unchanged', () => {
  const texts = Array.from({ length: 30_000 }, (_, i) => (i % 3 === 0 ? `é${i % 500}` : `Text ${i}`));
  const pool = new StringPool();
  const copies = new StringPool();
  const offsets = new Map<string, number>([['', 0]]);
  for (const text of ['', ...texts]) {
    const offset = pool.add(text);
    assert.equal(offset, offsets.get(text) ?? offset);
    offsets.set(text, offset);
    assert.equal(copies.at(copies.addFrom(pool, offset)), text);
  }
  assert.equal(new Set(offsets.values()).size, offsets.size);
  assert.deepEqual(copies.view(), pool.view());
});

test('a list has every string, and another thread reads them in the memory that it shares', () => {
  const list = new StringList();
  const offsets = ['é', '', 'é'].map((text) => list.append(text));
  const opened = new StringList(list.share());
  assert.deepEqual(
    offsets.map((offset) => opened.at(offset)),
    ['é', '', 'é'],
  );
  assert.equal(new Set(offsets).size, 3);
});

test('a string of more than 65,535 bytes is refused', () => {
  assert.throws(() => new StringPool().add('x'.repeat(65_536)), {
    message: 'a string of 65536 bytes is too long: the maximum is 65535',
  });
});
