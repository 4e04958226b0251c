import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { findHeading } from '../../../src/sources/input/headings.ts';
import type { InputFile } from '../../../src/sources/input/input-files.ts';
import { openTable, parseDecimal, parseRows } from '../../../src/sources/input/spreadsheet.ts';

/** A file that is read in chunks of `chunkBytes`. */
function aFile(content: string | Buffer, chunkBytes = 1 << 16): InputFile {
  const bytes = Buffer.from(content);
  const read = async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  return { label: 'a.csv', name: 'a.csv', path: 'a.csv', read };
}

/** The cells of all rows, each with its line; a text says what is wrong with the row. */
async function readAll(content: string | Buffer, chunkBytes?: number) {
  const { rows, ...table } = await openTable(aFile(content, chunkBytes));
  const all: (readonly [number, string[] | string])[] = [];
  for await (const chunk of rows) {
    const parsed = parseRows(chunk, table);
    all.push(...chunk.map(({ number }, i) => [number, parsed[i]!] as const));
  }
  return { ...table, rows: all };
}

for (const [name, delimiter] of Object.entries({ commas: ',', semicolons: ';', tabs: '\t', bars: '|' })) {
  test(`${name} between the headings are the delimiter`, async () => {
    const text = ['"a, b; c|d"', 'x', 'y'].join(delimiter);
    const { headings, rows } = await readAll(`${text}\n1${delimiter}2${delimiter}3\n`);
    assert.deepEqual(headings, ['a, b; c|d', 'x', 'y']);
    assert.deepEqual(rows, [[2, ['1', '2', '3']]]);
  });
}

test('a table as Excel writes it has a byte order mark, CR LF, and cells with line breaks', async () => {
  const table = await readAll('\ufeffname;note\r\nÜ;"one\r\n\r\ntwo ""2"""\r\n\r\nb;c\r\n');
  assert.equal(table.hasByteOrderMark, true);
  assert.deepEqual(table.headings, ['name', 'note']);
  assert.deepEqual(table.rows, [
    [2, ['Ü', 'one\n\ntwo "2"']],
    [6, ['b', 'c']],
  ]);
});

test('windows-1252 and UTF-16 are recognised, and a few broken characters leave UTF-8', async () => {
  const western = await readAll(Buffer.from('city\nKöln\nMünchen\n', 'latin1'));
  assert.deepEqual(
    [western.encoding, western.hasByteOrderMark, western.rows],
    [
      'windows-1252',
      true,
      [
        [2, ['Köln']],
        [3, ['München']],
      ],
    ],
  );
  const wide = await readAll(Buffer.from('\ufeffcity\nKöln\nSchwetzingen\n', 'utf16le'));
  assert.deepEqual([wide.encoding, wide.rows[0]], ['utf-16le', [2, ['Köln']]]);
  const broken = await readAll(Buffer.concat([Buffer.from('city\nKöln\nMünchen\n'), Buffer.from([0xe9, 0x0a])]));
  assert.deepEqual([broken.encoding, broken.rows.at(-1)], ['utf-8', [4, 'bad UTF-8']]);
});

test('the first chunk that is not ASCII decides whether a table is windows-1252', async () => {
  const text = 'city\nParis\nLyon\nKöln\n';
  for (const encoding of ['latin1', 'utf8'] as const) {
    const { rows } = await readAll(Buffer.from(text, encoding), 'city\nParis\n'.length);
    assert.deepEqual(rows.at(-1), [4, ['Köln']]);
  }
});

test('a character that goes on in the next chunk leaves UTF-8', async () => {
  const { encoding, hasByteOrderMark, rows } = await readAll('city\nKöln\n', 'city\nK'.length + 1);
  assert.deepEqual([encoding, hasByteOrderMark, rows], ['utf-8', false, [[2, ['Köln']]]]);
});

test('a quotation mark that is never closed is one bad row, in chunks of any size', async () => {
  const text = 'a,b\n1,"x\n2,y\n3,"z, z"\n4,5" pipe\n5,"q\nr"\n6,w\n';
  const expected = [
    [2, 'a quotation mark is never closed'],
    [3, ['2', 'y']],
    [4, ['3', 'z, z']],
    [5, ['4', '5" pipe']],
    [6, ['5', 'q\nr']],
    [8, ['6', 'w']],
  ];
  for (const chunkBytes of [1 << 16, 7, 1]) assert.deepEqual((await readAll(text, chunkBytes)).rows, expected);
});

test('two marks that are never closed do not take the rows between them', async () => {
  const { rows } = await readAll('id,city\n1,"Paris\n2,Lyon\n3,Rome\n4,"Madrid\n5,Oslo\n');
  assert.deepEqual(rows, [
    [2, 'a quotation mark is never closed'],
    [3, ['2', 'Lyon']],
    [4, ['3', 'Rome']],
    [5, 'a quotation mark is never closed'],
    [6, ['5', 'Oslo']],
  ]);
});

test('a mark that is never closed does not take the first line of the next row', async () => {
  const { rows } = await readAll('id,city\n1,"Paris\n2,"a\nb"\n');
  assert.deepEqual(rows, [
    [2, 'a quotation mark is never closed'],
    [3, ['2', 'a\nb']],
  ]);
});

test('a mark that is never closed does not collect a long table', async () => {
  const rows = Array.from({ length: 500 }, (_, i) => `${i},x\n`).join('');
  const table = await readAll(`a,b\n"open,x\n${rows}`, 100);
  assert.equal(table.rows.length, 501);
  assert.deepEqual(table.rows[1], [3, ['0', 'x']]);
});

test('an empty line is a row if there is one column, and a line of empty cells always', async () => {
  const one = await readAll('city\n\nLyon\n\n');
  assert.deepEqual(one.rows, [
    [2, ['']],
    [3, ['Lyon']],
    [4, ['']],
  ]);
  const two = await readAll('city\tn\n\n\t\nLyon\t1\n \n');
  assert.deepEqual(two.rows, [
    [3, ['', '']],
    [4, ['Lyon', '1']],
  ]);
});

test('a mark that is never closed does not take more than a megabyte', async () => {
  const long = `${'x'.repeat(400_000)},1\n`;
  const { rows } = await readAll(`a,b\n"open,0\n${long.repeat(4)}",0\n`);
  assert.deepEqual(
    rows.map(([line, cells]) => [line, cells.length]),
    [
      [2, 'a quotation mark is never closed'.length],
      ...[3, 4, 5, 6].map((line) => [line, 2]),
      [7, 'a quotation mark is never closed'.length],
    ],
  );
});

test('a picture or an archive is no table, and a few control characters are', async () => {
  const message = 'a.csv: is no table (CSV, TSV or NDJSON) but binary data; save a spreadsheet as CSV';
  const png = deflateSync(Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * i) % 251)));
  await assert.rejects(openTable(aFile(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), png]))), { message });
  const wide = Buffer.from('city\nKöln\nMünchen\n', 'utf16le'); // without a byte order mark
  await assert.rejects(openTable(aFile(wide)), { message });
  assert.deepEqual((await readAll('city\na\0b\nКраснодар\n')).rows.length, 2);
});

test('the headings of NDJSON are the fields of its first row', async () => {
  const { headings, delimiter } = await openTable(aFile('\n{"city":"Paris","n":1}\n{"other":2}\n'));
  assert.deepEqual([headings, delimiter], [['city', 'n'], undefined]);
});

test('a table without headings is an error that names the file', async () => {
  await assert.rejects(openTable(aFile('')), { message: 'a.csv: must begin with a row of headings, got ""' });
  await assert.rejects(openTable(aFile(';;\n')), { message: 'a.csv: must begin with a row of headings, got ";;"' });
});

test('headings are recognised in several languages, as whole headings before words of one', () => {
  const find = (meaning: string, ...headings: string[]) => headings[findHeading(headings, meaning) ?? -1];
  assert.equal(find('place', 'Name', 'Wohnort', 'Land'), 'Wohnort');
  assert.equal(find('place', 'billing_city', 'City'), 'City');
  assert.equal(find('place', 'id', 'homeCity'), 'homeCity');
  assert.equal(find('country', 'País', 'Ciudad'), 'País');
  assert.equal(find('country', 'country', 'CountryCode'), 'CountryCode');
  assert.equal(find('lng', 'Breite', 'Länge'), 'Länge');
  assert.equal(find('place', 'capacity', 'electricity'), undefined);
});

test('decimals have a point or a comma', () => {
  assert.deepEqual(['48.85', '-48,85', '+.5', ' 7 '].map(parseDecimal), [48.85, -48.85, 0.5, 7]);
  assert.deepEqual(['', 'x', '1,2,3', '1e5', '0x10', 'Infinity'].map(parseDecimal), Array(6).fill(undefined));
});
