import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexFormatError, verifyChecksums } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import { verifyIndex } from 'toponym-files/index-file';
import { packIndex } from 'toponym-gazetteer/build/pack-index';
import { ByteReader } from '../../web/static/byte-reader.ts';
import { readIndex } from '../../web/static/read-index.ts';
import { anIndex, aPlace } from '../support/an-engine.ts';

const PLACES = [
  aPlace({ id: 'G1', name: 'Springfield', country: 'US', admin1: 'US.IL', admin2: 'US.IL.167', population: 116_000 }),
  aPlace({ id: 'G2', name: 'Springfield', country: 'US', admin1: 'US.MO', lat: 37.2, lng: -93.3, population: 160_000 }),
  aPlace({
    id: 'N3',
    name: 'München',
    country: 'DE',
    alternateNames: ['Munich', '慕尼黑', 'Мюнхен'],
    timezone: 'Europe/Berlin',
  }),
  aPlace({ id: 'G4', name: 'Paris', box: { west: 2, south: 46, east: 3, north: 48 }, externalIds: ['wd:Q90'] }),
  aPlace({ id: 'G9007199254740991', name: 'x'.repeat(300), lat: -90, lng: 180, population: 0 }),
  ...Array.from({ length: 300 }, (_, i) =>
    aPlace({ name: `Saint-${i % 7} Ville${i}`, population: 1000 * (i + 1), lat: i / 10, lng: -i / 3 }),
  ),
];
const index = await anIndex(PLACES);
const packed = Buffer.concat(packIndex(index));

/** Reads an index that arrives in chunks of this size. */
async function read(bytes: Uint8Array, chunkBytes = bytes.length): Promise<ArrayBuffer> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield Uint8Array.from(bytes.subarray(at, at + chunkBytes));
  }
  return await readIndex(new ByteReader(chunks()));
}

test('a packed index becomes an index with correct checksums and structure, in chunks of any size', async () => {
  assert.ok(packed.length < index.byteLength);
  const unpacked = await read(packed);
  verifyIndex(unpacked);
  for (const size of [1, 1000, 1 << 16]) assert.deepEqual(await read(packed, size), unpacked);
});

test('an index that is not packed stays as it is, and its checksums are verified', async () => {
  const bytes = new Uint8Array(index);
  assert.deepEqual(new Uint8Array(await read(bytes, 1000)), bytes);
  const damaged = bytes.with(-9, bytes.at(-9)! ^ 1);
  await assert.rejects(read(damaged), IndexFormatError);
  await assert.rejects(read(bytes.subarray(0, -8)), /^IndexFormatError: the index is truncated/);
});

test('it finds the same as the index that was packed', async () => {
  const [engine, small] = [openEngine(index), openEngine(await read(packed))];
  for (const text of [
    's',
    'springfield il',
    'sprngfeld',
    'munich',
    '慕尼黑',
    'мюнхн',
    'saint-3',
    'vile12',
    'paris fr',
    'x',
  ])
    assert.deepEqual(small.search({ text, limit: 20 }).hits, engine.search({ text, limit: 20 }).hits, text);
  const at = { lat: 12.3, lng: -40 };
  assert.deepEqual(small.reverse({ at, limit: 20 }), engine.reverse({ at, limit: 20 }));
  for (const { id } of PLACES) assert.deepEqual(small.get(id), engine.get(id));
});

test('an index without places can be packed', async () => {
  verifyChecksums(await read(Buffer.concat(packIndex(await anIndex([])))));
});

test('bytes that were cut off, and those of another version, are refused', async () => {
  for (const length of [0, 20, 4000, packed.length - 5_000]) {
    await assert.rejects(read(packed.subarray(0, length)), IndexFormatError);
  }
  const newer = Buffer.from(packed);
  newer.writeUint32LE(99, 8);
  await assert.rejects(read(newer), /^IndexFormatError: index of version 99\.\d+, this program reads/);
});
