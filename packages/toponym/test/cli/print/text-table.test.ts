/** Widths, lines and tables of text, and the sentences that commands share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeData } from '../../../src/cli/print/data-text.ts';
import { markMatches } from '../../../src/cli/print/place-text.ts';
import { type Column, textTable } from '../../../src/cli/print/text-table.ts';
import { displayWidth, fillLines, shorten, wrapWords } from '../../../src/cli/print/text-width.ts';

test('wide characters take two columns, and combining marks none', () => {
  for (const [text, width] of [
    ['Kiel', 4],
    ['東京', 4],
    ['서울', 4],
    ['𠮷野', 4],
    ['ｱｲ', 2],
    ['Ａ', 2],
    ['Zu\u0308rich', 6],
    ['e\u0301\u0327', 1],
    ['\u0301', 0],
    ['กรุงเทพ', 6],
    ['दिल्ली', 5], // as in glibc, whose wcwidth counts spacing marks
    ['a\u200bb', 2],
    ['🗼', 2],
    ['🇯🇵', 2],
    ['👨‍👩‍👧', 2],
    ['', 0],
  ] as const) {
    assert.equal(displayWidth(text), width, JSON.stringify(text));
  }
});

test('a shortened text fits and splits no character', () => {
  assert.equal(shorten('Springfield', 11), 'Springfield');
  assert.equal(shorten('Springfield', 7), 'Spring…');
  assert.equal(shorten('東京都', 5), '東京…');
  assert.equal(shorten('東京都', 4), '東…');
  assert.equal(shorten('Zu\u0308rich', 3), 'Zu\u0308…');
  assert.equal(shorten('New York', 5), 'New…');
});

test('parts are joined into lines without being split', () => {
  assert.deepEqual(fillLines(['aa', 'bb', 'cccccccc', 'd'], ' ', 5).map(String), ['aa bb', 'cccccccc', 'd']);
  assert.deepEqual(fillLines([], ' ', 5), []);
});

test('a command after a colon at the end of a text stays whole', () => {
  const text = 'There is newer data; to get it: npx toponym update --state x';
  assert.deepEqual(wrapWords(text, 40), ['There is newer data; to get it:', 'npx toponym update --state x']);
  assert.deepEqual(wrapWords(text, 80), [text]);
  assert.deepEqual(wrapWords('Run: chmod 600 /a/b', 12), ['Run:', 'chmod 600 /a/b']);
});

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

/** The marked text, with brackets around each match. */
function marked(shown: string, html: string): string {
  const { spans } = markMatches(shown, html);
  return spans.map(({ text, style }) => (style === 'match' && text !== '' ? `[${text}]` : text)).join('');
}

test('the matched parts of the name are marked in the label', () => {
  assert.equal(marked('Springfield, Illinois', '<em>Springf</em>ield'), '[Springf]ield, Illinois');
  assert.equal(marked('Saint-Malo, France', '<em>Saint</em>-<em>Ma</em>lo'), '[Saint]-[Ma]lo, France');
  assert.equal(marked('Nowhere', 'Nowhere'), 'Nowhere');
});

test('a shortened label is marked as far as it goes', () => {
  assert.equal(marked('Spring…', '<em>Springf</em>ield'), '[Spring]…');
});

test('escaped characters of the name are those of the label', () => {
  assert.equal(marked("L'Isle & <b>", '<em>L&#39;Isle</em> &amp; &lt;b&gt;'), "[L'Isle] & <b>");
  assert.equal(marked('A\\x1b[31mB', '<em>A\u001b[31m</em>B'), '[A\\x1b[31m]B');
});

const NOW = new Date('2026-11-17');
const DATA = { version: 'geonames-cities500-2023-03-05-cities1000-2026-09', places: 199_568 };
const TEXT =
  'GeoNames places of September 2026 (2 months old), populations and other names of 5 March 2023 (3.7 years old), 199,568 places';

test('old data of the default index comes with the command that gets newer data', () => {
  assert.equal(describeData(DATA, { index: undefined, state: 'state' }, NOW), `${TEXT}; newer: npx toponym update`);
  assert.equal(
    describeData(DATA, { index: undefined, state: "/it's here" }, NOW),
    `${TEXT}; newer: npx toponym update --state '/it'\\''s here'`,
  );
});

test('new data, and data of a given index, comes without a command', () => {
  const state = 'state';
  assert.equal(describeData(DATA, { index: 'a.toponym', state }, NOW), TEXT);
  assert.equal(describeData(DATA, { index: 'embedded', state }, NOW), TEXT);
  assert.equal(
    describeData({ version: 'geonames-FR-2026-11-16', places: 2 }, { index: undefined, state }, NOW),
    'GeoNames FR of 16 November 2026 (new), 2 places',
  );
});
