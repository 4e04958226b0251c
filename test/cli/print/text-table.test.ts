import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, textTable } from '../../../src/cli/print/text-table.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', value: (row) => row.id },
  { title: 'NAME', value: (row) => row.name, isName: true },
  { title: 'SIZE', value: (row) => String(row.size), align: 'right' },
];
const ROWS: readonly Row[] = [
  { id: 'A1', name: 'Springfield, Illinois, United States', size: 7 },
  { id: 'B22', name: '東京', size: 1234 },
];

function tableText(columns: readonly Column<Row>[], width: number): string {
  return String(textTable(ROWS, columns, width));
}

test('a table that fits the terminal has one row per line', () => {
  const table = [
    'ID   NAME                                  SIZE',
    'A1   Springfield, Illinois, United States     7',
    'B22  東京                                  1234',
  ].join('\n');
  assert.equal(tableText(COLUMNS, 47), table);
  assert.equal(tableText(COLUMNS, Number.POSITIVE_INFINITY), table);
});

test('names are shortened in a table that is slightly too wide', () => {
  assert.equal(
    tableText(COLUMNS, 36),
    [
      'ID   NAME                       SIZE',
      'A1   Springfield, Illinois, U…     7',
      'B22  東京                       1234',
    ].join('\n'),
  );
});

test('on a narrow terminal each row is a block with its name first', () => {
  assert.equal(
    tableText(COLUMNS, 34),
    ['Springfield, Illinois, United', 'States', '  ID A1  SIZE 7', '東京', '  ID B22  SIZE 1234'].join('\n'),
  );
  assert.equal(
    tableText(COLUMNS, 12),
    [
      ...['Springfield,', 'Illinois,', 'United', 'States', '  ID A1', '  SIZE 7'],
      ...['東京', '  ID B22', '  SIZE 1234'],
    ].join('\n'),
  );
});

test('a table without a name column is never shortened', () => {
  const columns = COLUMNS.map(({ title, value }) => ({ title, value }));
  assert.equal(
    tableText(columns, 46),
    ['A1', '  NAME Springfield, Illinois, United States', '  SIZE 7', 'B22', '  NAME 東京  SIZE 1234'].join('\n'),
  );
});

test('on a narrow terminal, values that say nothing are left out', () => {
  const columns: readonly Column<Row>[] = [
    ...COLUMNS,
    { title: 'A VALUE THAT NO ROW HAS', value: () => '-', emptyValue: '-' },
    { title: 'HAS A', value: ({ id }) => (id === 'A1' ? 'yes' : '-'), emptyValue: '-' },
  ];
  assert.equal(
    tableText(columns, 54),
    [
      'ID   NAME                                  SIZE  HAS A',
      'A1   Springfield, Illinois, United States     7  yes',
      'B22  東京                                  1234  -',
    ].join('\n'),
  );
  assert.equal(
    tableText(columns, 36),
    ['Springfield, Illinois, United States', '  ID A1  SIZE 7  HAS A yes', '東京', '  ID B22  SIZE 1234'].join('\n'),
  );
});

test('a fact that is too wide for a block continues on the next line', () => {
  const columns: readonly Column<Row>[] = [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAMES', value: () => 'Aa, Bb, Cc, Dd, Ee, Ff' },
  ];
  assert.equal(
    tableText(columns, 20),
    ['A1', '  NAMES Aa, Bb, Cc,', '  Dd, Ee, Ff', 'B22', '  NAMES Aa, Bb, Cc,', '  Dd, Ee, Ff'].join('\n'),
  );
});

test('columns are left out in their order before names become too short', () => {
  const columns = COLUMNS.map((column) =>
    column.isName ? column : { ...column, leftOutOrder: column.title === 'SIZE' ? 1 : 2 },
  );
  assert.equal(tableText(columns, 47), tableText(COLUMNS, 47));
  assert.equal(tableText(columns, 41).split('\n')[1], 'A1   Springfield, Illinois, United…     7');
  assert.equal(tableText(columns, 40).split('\n')[1], 'A1   Springfield, Illinois, United Stat…');
  assert.equal(tableText(columns, 34), ['NAME', 'Springfield, Illinois, United Sta…', '東京'].join('\n'));
});
