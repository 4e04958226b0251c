import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { IndexFormatError, openIndex, verifyChecksums } from 'toponym-engine/index-file/open-index';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { aGazetteer, anIndex, aPlace } from '../../../test/support/an-engine.ts';
import { flipByte } from '../../../test/support/damage-file.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readIndexFile, writeIndexFile } from '../src/index-file.ts';

const places = [
  aPlace({ id: 'G1', name: 'Paris', population: 2_000_000, admin1: 'FR.11' }),
  aPlace({ id: 'G2', name: 'Paris', country: 'US', admin1: 'US.TX', population: 25_000 }),
  aPlace({
    id: 'N3',
    name: 'Springfield',
    country: 'US',
    admin1: 'US.IL',
    admin2: 'US.IL.167',
    timezone: 'America/Chicago',
  }),
];

test('the same places in any order give the same bytes', async () => {
  const one = await buildIndex(aGazetteer(places));
  const other = await buildIndex(aGazetteer([...places].reverse()));
  assert.deepEqual(Buffer.concat(one.chunks), Buffer.concat(other.chunks));
});

test('an index that was written can be read back', async (t) => {
  const file = path.join(temporaryFolder(t), 'a.toponym');
  const { chunks } = await buildIndex(aGazetteer(places));
  writeIndexFile(file, chunks);
  const index = openIndex(readIndexFile(file));
  assert.equal(index.metadata.places, 3);
  assert.deepEqual(readdirSync(path.dirname(file)), ['a.toponym']);
});

test('a change of any single byte is detected', async () => {
  const buffer = await anIndex(places);
  const bytes = new Uint8Array(buffer);
  const random = seededRandom(7);
  const undetected: number[] = [];
  for (let round = 0; round < 3000; round++) {
    const at = round < 200 ? round : random(bytes.length);
    const before = bytes[at] as number;
    bytes[at] = before ^ (1 << random(8));
    try {
      verifyChecksums(buffer);
      undetected.push(at);
    } catch (error) {
      assert.ok(error instanceof IndexFormatError, String(error));
    }
    bytes[at] = before;
  }
  assert.deepEqual(undetected, []);
  assert.doesNotThrow(() => verifyChecksums(buffer));
});

test('a byte that a disk changes after a read is found by the next read, although the file seems the same', async (t) => {
  const file = path.join(temporaryFolder(t), 'a.toponym');
  const bytes = new Uint8Array(await anIndex(places));
  writeFileSync(file, bytes);
  utimesSync(file, 1, 1); // a file that has not changed for years
  const identity = () => {
    const { ino, size, mtimeMs } = statSync(file);
    return { ino, size, mtimeMs };
  };
  for (const position of [100, bytes.length >> 1, bytes.length - 1]) {
    assert.equal(readIndexFile(file).byteLength, bytes.length);
    const before = identity();
    flipByte(file, position);
    assert.deepEqual(identity(), before);
    assert.throws(() => readIndexFile(file), { name: 'IndexFormatError', message: /is damaged: / });
    flipByte(file, position);
  }
});

test('a file that is truncated or has extra bytes is refused by name', async (t) => {
  const file = path.join(temporaryFolder(t), 'cut.toponym');
  const whole = Buffer.from(await anIndex(places));
  for (const length of [0, 7, 31, 32, 500, whole.length - 1]) {
    writeFileSync(file, whole.subarray(0, length));
    assert.throws(() => readIndexFile(file), { name: 'IndexFormatError', message: /cut\.toponym/ }, `${length} bytes`);
  }
  writeFileSync(file, Buffer.concat([whole, Buffer.alloc(64)]));
  assert.throws(() => readIndexFile(file), IndexFormatError);
});

test('a file of another version is refused with both versions', async (t) => {
  const file = path.join(temporaryFolder(t), 'old.toponym');
  const bytes = Buffer.from(await anIndex(places));
  bytes.writeUInt32LE(999, 8);
  writeFileSync(file, bytes);
  assert.throws(() => readIndexFile(file), { message: /index of version 999\.\d+, this program reads/ });
});

test('a file that is not an index is refused', (t) => {
  const file = path.join(temporaryFolder(t), 'notes.txt');
  writeFileSync(file, 'dear diary, today I did not build an index at all');
  assert.throws(() => readIndexFile(file), { message: /not a Toponym index/ });
});

test('a failed write leaves only the old file', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'a.toponym');
  writeFileSync(file, 'old');
  const broken = [new Uint8Array([1, 2, 3]), null as unknown as Uint8Array];
  assert.throws(() => writeIndexFile(file, broken));
  assert.equal(readFileSync(file, 'utf8'), 'old');
  assert.deepEqual(readdirSync(folder), ['a.toponym']);
});
