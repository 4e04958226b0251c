import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { searchWordsModule } from '../../../../scripts/search-words.js';
import { readBundledRegions } from '../../src/sources/embedded/cities-package.ts';
import { COUNTRY_CODES } from '../../src/sources/regions/countries.ts';
import { readFormerRegions } from '../../src/sources/regions/regions.ts';
import { findRows, parseTable, readTable, TABLES, type TableName, type TableShape } from '../../src/sources/tables.ts';

const names = Object.keys(TABLES) as TableName[];
const rowsOf = (name: TableName): readonly Readonly<Record<string, string>>[] => readTable(name);
const sources = new Set(readTable('sources').map(({ source }) => source));

test('the folder has the tables that the code knows, and nothing else but their description', () => {
  const files = readdirSync(new URL('../../../../tables', import.meta.url)).sort();
  assert.deepEqual(files, ['README.md', ...names.map((name) => `${name}.tsv`)].sort());
});

for (const name of names) {
  test(`${name}.tsv has sorted, distinct and tidy rows, each with a source`, () => {
    const { columns, sortedColumns }: TableShape = TABLES[name];
    const seen = new Set<string>();
    let previous: string[] = [];
    for (const row of rowsOf(name)) {
      const cells = columns.map((column) => row[column] as string);
      const line = cells.join('\t');
      for (const cell of cells) {
        // a spreadsheet treats quotation marks as its own
        assert.ok(cell === cell.trim() && cell === cell.normalize('NFC') && !cell.includes('"'), line);
      }
      const fact = name === 'sources' ? row.source : cells.slice(0, -1).join('\t');
      assert.ok(!seen.has(fact as string), `twice: ${line}`);
      seen.add(fact as string);
      const at = columns.findIndex((_, i) => i >= sortedColumns || cells[i] !== previous[i]);
      assert.ok(at >= sortedColumns || previous[at] === undefined || previous[at] < (cells[at] as string), line);
      assert.ok(sources.has(row.source as string), line);
      previous = cells;
    }
  });
}

test('every source is the source of a row', () => {
  const used = new Set(names.filter((name) => name !== 'sources').flatMap((name) => rowsOf(name).map((r) => r.source)));
  assert.deepEqual([...used].sort(), [...sources]);
});

test('countries, languages and divisions in the tables exist', () => {
  const current = readBundledRegions();
  const keys = new Set([...current, ...readFormerRegions()].map(({ key }) => key));
  const bundled = new Set(current.map(({ key, name }) => `${key} ${name}`));
  const rows = names.flatMap(rowsOf);
  const countries = new Set(rows.flatMap(({ country = [] }) => country));
  assert.deepEqual([...countries.difference(COUNTRY_CODES)], []);
  const languages = [...new Set(rows.flatMap(({ language = [] }) => language))];
  assert.deepEqual(Intl.getCanonicalLocales(languages), languages);
  for (const { region } of readTable('region-aliases')) assert.ok(keys.has(region), region);
  for (const { region, name } of readTable('region-translations')) assert.ok(bundled.has(`${region} ${name}`), region);
});

test('columns with few values have no others', () => {
  const valuesOf = (name: TableName, column: string) => [...new Set(rowsOf(name).map((row) => row[column]))];
  assert.deepEqual(valuesOf('region-aliases', 'meaning').sort(), ['area', 'region']);
  assert.deepEqual(valuesOf('division-words', 'position'), ['after', 'before']);
  assert.deepEqual(valuesOf('search-words', 'meaning'), ['airport', 'generic', 'particle']);
});

test('the words that searches skip are those of the table', () => {
  const code = readFileSync(new URL('../../../engine/src/text/search-words.ts', import.meta.url), 'utf8');
  assert.equal(code, searchWordsModule(), 'run node scripts/search-words.js');
});

test('the rows that begin with a cell are found without the others', () => {
  for (const name of ['region-translations', 'region-aliases', 'countries', 'former-regions'] as const) {
    const first = TABLES[name].columns[0];
    const groups = Map.groupBy(rowsOf(name), (row) => row[first] as string);
    for (const [cell, rows] of groups) assert.deepEqual(findRows(name, cell), rows);
    for (const cell of ['', 'A', 'ZZ', `${[...groups.keys()][1]}0`]) assert.deepEqual(findRows(name, cell), []);
  }
});

test('a malformed row is an error that names file, line and columns', () => {
  const header = 'region\tname\tsource';
  assert.deepEqual(parseTable('former-regions', `${header}\r\nNO.30\tViken\tgeonames-2023\r\n`), [
    { region: 'NO.30', name: 'Viken', source: 'geonames-2023' },
  ]);
  const expected = 'expected a filled cell for each of region, name, source, separated by tabs';
  for (const line of ['NO.38\tVestfold', 'NO.38\t\ttoponym', 'NO.38\tVestfold\ttoponym\t2020', '']) {
    assert.throws(() => parseTable('former-regions', `${header}\nNO.30\tViken\ttoponym\n${line}\n`), {
      message: `tables/former-regions.tsv:3: ${expected}, got ${JSON.stringify(line)}`,
    });
  }
  assert.throws(() => parseTable('former-regions', 'region;name;source\n'), {
    message:
      'tables/former-regions.tsv:1: expected a header with the columns region, name, source, separated by tabs, got "region;name;source"',
  });
});
