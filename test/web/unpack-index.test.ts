import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/open-engine.ts';
import { IndexFormatError, openIndex, verifyChecksums } from '../../src/index-file/open-index.ts';
import { packIndex } from '../../src/index-file/pack-index.ts';
import { verifyStructure } from '../../src/index-file/verify-structure.ts';
import { isPacked, unpackIndex } from '../../web/static/unpack-index.ts';
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
const packed = joined(packIndex(index));

function joined(chunks: readonly Uint8Array[]): ArrayBuffer {
  return Uint8Array.from(Buffer.concat(chunks)).buffer;
}

test('a packed index becomes an index with correct checksums and structure', () => {
  assert.ok(isPacked(packed) && packed.byteLength < index.byteLength);
  const unpacked = unpackIndex(packed);
  assert.ok(!isPacked(unpacked));
  verifyChecksums(unpacked);
  verifyStructure(openIndex(unpacked));
});

test('it finds the same as the index that was packed', () => {
  const [engine, small] = [openEngine(index), openEngine(unpackIndex(packed))];
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
  verifyChecksums(unpackIndex(joined(packIndex(await anIndex([])))));
});

test('bytes that were cut off, and those of another version, are refused', () => {
  for (const length of [0, 20, 4000, packed.byteLength - 5_000]) {
    assert.throws(() => unpackIndex(packed.slice(0, length)), IndexFormatError);
  }
  const newer = packed.slice(0);
  new DataView(newer).setUint32(8, 99, true);
  assert.throws(() => unpackIndex(newer), /^IndexFormatError: index of version 99\.\d+, this program reads/);
});
