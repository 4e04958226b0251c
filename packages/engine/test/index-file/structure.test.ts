import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readIndexFile, verifyIndex } from 'toponym-files/index-file';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { SectionName } from '../../src/index-file/layout.ts';
import { openIndex, verifyChecksums } from '../../src/index-file/open-index.ts';
import { aFullIndex, MutableIndex } from './mutated-index.ts';

const base = await aFullIndex();
/** Larger than any table of the small index. */
const FAR = 0x00ff_ffff;

test('a built index passes the checks and has an entry in every section', () => {
  assert.doesNotThrow(() => verifyIndex(base));
  const { metadata, meta, ...sections } = openIndex(base);
  const empty = Object.entries(sections).filter(([, section]) => section.length === 0);
  assert.deepEqual(empty, []);
});

/** Section, entry and value of single changes that checksums cannot detect. */
const CHANGES: readonly (readonly [SectionName, at: number, value: number])[] = [
  ['placeType', 0, 6],
  ['packedRecords', 1, 0],
  ['packedRecords', 5, 3],
  ['packedRecords', 7, 0xffff_ffff],
  ['placeLatE7', 3, 900_000_001],
  ['placeLngE7', 3, -1_800_000_001],
  ['placeImportance', 299, 0xffff],
  ['placeRank', 0, 6],
  ['placeCountry', 7, 3],
  ['placeAdmin1', 7, FAR],
  ['placeAdmin2', 7, FAR],
  ['placeByNumber', 0, FAR],
  ['retiredPlace', 0, FAR],
  ['externalPlace', 0, FAR],
  ['externalText', 0, 1],
  ['suburbPlace', 0, FAR],
  ['suburbCity', 0, 1],
  ['extentPlace', 2, FAR],
  ['extentPlace', 1, 0],
  ['extentE7', 0, 1_800_000_001],
  ['extentE7', 1, 900_000_000],
  ['extentE7', 5, -900_000_001],
  ['extentE7', 6, -1_800_000_001],
  ['extentE7', 7, 900_000_001],
  ['airportPlace', 1, FAR],
  ['airportPlace', 0, 299],
  ['airportE7', 0, 900_000_001],
  ['airportE7', 3, -1_800_000_001],
  ['placeNames', 0, 1],
  ['placeNames', 5, 0],
  ['nameText', 0, 1],
  ['nameText', 0, FAR],
  ['nameLanguage', 0, 99],
  ['nameKind', 0, 9],
  ['texts', 2, 0xff],
  ['texts', 3, 0xff],
  ['regionText', 1, 1],
  ['regionKey', 1, 1],
  ['regionParent', 1, 1],
  ['regionLevel', 1, 1],
  ['regionLevel', 3, 3],
  ['regionPlaceStart', 1, FAR],
  ['regionPlaces', 0, FAR],
  ['regionTranslations', 0, 1],
  ['regionTranslations', 2, FAR],
  ['translationText', 0, 1],
  ['translationLanguage', 0, 99],
  ['nameTrieChildStart', 0, 0],
  ['nameTrieChildStart', 3, 3],
  ['nameTrieChildStart', 3, FAR],
  ['nameTrieTailStart', 1, 1],
  ['nameTrieTailStart', 5, FAR],
  ['nameTriePostingStart', 2, FAR],
  ['regionTrieChildStart', 2, 1],
  ['regionTriePostingStart', 1, FAR],
  ['postings', 9, FAR],
  ['rangeEnd', 0, FAR],
  ['rangeTopsStart', 0, 1],
  ['rangeTops', 0, 41],
  ['rangeTops', 1, FAR],
  ['placeSlots', 1, FAR],
  ['slotPosting', 0, FAR],
  ['slotName', 0, 200],
  ['regionPostings', 0, 0],
  ['regionPostings', 0, FAR],
  ['treeIds', 0, FAR],
  ['treeCoords', 0, Number.NaN],
  ['treeCoords', 0, 2],
];

for (const [name, at, value] of CHANGES) {
  test(`entry ${at} of ${name} set to ${value} is refused even with correct checksums`, () => {
    const index = new MutableIndex(base);
    const section = index.section(name);
    assert.notEqual(section[at], value);
    section[at] = value;
    const sealed = index.seal();
    assert.doesNotThrow(() => verifyChecksums(sealed));
    assert.throws(() => verifyIndex(sealed), {
      name: 'IndexFormatError',
      message: /^section \w+ is damaged: .*Rebuild the index$/,
    });
  });
}

test('a place that is twice in the k-d tree and a trie with a cycle are refused', () => {
  const repeated = new MutableIndex(base);
  const ids = repeated.section('treeIds');
  ids[0] = ids[1]!;
  assert.throws(() => verifyIndex(repeated.seal()), /^IndexFormatError: section treeIds is damaged/);
  const cycle = new MutableIndex(base);
  cycle.section('nameTrieChildStart').fill(1, 1, -1);
  assert.throws(() => verifyIndex(cycle.seal()), /^IndexFormatError: section nameTrieChildStart is damaged/);
});

test('a meta section with a missing field or a wrong value is refused', () => {
  const wrong: Record<string, unknown>[] = [
    { version: 1 },
    { attribution: 'me' },
    { places: '300' },
    { places: -1 },
    { places: 299 },
    { names: 1e300 },
    { countries: ['USA'] },
    { countries: [] },
    { timezones: null },
    { languages: ['valueOf', 'fr', 'de', 'ja'] },
    { languages: [''] },
  ];
  for (const fields of wrong) {
    const index = new MutableIndex(base);
    const { attribution, ...meta } = index.meta;
    // dropping the attribution makes room for longer values
    index.setMeta(JSON.stringify({ ...meta, attribution: [], ...fields }));
    assert.throws(() => verifyIndex(index.seal()), { name: 'IndexFormatError' }, JSON.stringify(fields));
    const [missing = ''] = Object.keys(fields);
    const { [missing]: _, ...rest } = meta;
    index.setMeta(JSON.stringify(missing === 'attribution' ? rest : { ...rest, attribution: [] }));
    assert.throws(() => verifyIndex(index.seal()), { name: 'IndexFormatError' }, `without ${missing}`);
  }
  for (const text of ['{', '[]', 'null', '7']) {
    const index = new MutableIndex(base);
    index.setMeta(text);
    assert.throws(
      () => verifyIndex(index.seal()),
      /^IndexFormatError: section meta is damaged: it is not a JSON object/,
    );
  }
});

test('sections that are misaligned, too long, out of order or misnamed are refused', () => {
  const change = (field: number, by: number) => (index: MutableIndex) => {
    const at = index.entryAt(5) + field;
    index.bytes.writeBigUInt64LE(index.bytes.readBigUInt64LE(at) + BigInt(by), at);
  };
  const changes: ((index: MutableIndex) => void)[] = [
    change(24, 1),
    change(24, 64),
    change(32, 1),
    change(32, 64),
    change(32, 2 ** 40),
    (index) => index.bytes.writeUInt32LE(3, index.entryAt(5) + 44),
    (index) => index.bytes.write('x', index.entryAt(5)),
  ];
  for (const damage of changes) {
    const index = new MutableIndex(base);
    damage(index);
    assert.throws(() => verifyIndex(index.seal()), /^IndexFormatError: the directory of the index is damaged/);
  }
});

test('a huge file that is not an index, or has the wrong length, is refused before it is read', (context) => {
  const folder = temporaryFolder(context);
  const zeros = join(folder, 'zeros.toponym');
  const longer = join(folder, 'longer.toponym');
  writeFileSync(zeros, '');
  writeFileSync(longer, Buffer.from(base));
  for (const path of [zeros, longer]) truncateSync(path, 6e9); // sparse: takes no disk space
  const before = process.memoryUsage().rss;
  assert.throws(() => readIndexFile(zeros), { message: /zeros\.toponym: not a Toponym index/ });
  assert.throws(() => readIndexFile(longer), { message: /the index is 6000000000 bytes long and should be \d+\./ });
  assert.ok(process.memoryUsage().rss - before < 500e6);
});
