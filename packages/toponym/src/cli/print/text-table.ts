/** Text tables that fit the terminal: shorter names, fewer columns, or a block of lines per row. */

import { joinLines, joinText, printable, type Style, type StyledText, styled, type Text } from './styled-text.ts';
import { displayWidth, fillLines, shorten, terminalWidth, wrapWords } from './text-width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly align?: 'right';
  /** Whether this column may be shortened and heads each block. */
  readonly isName?: boolean;
  /** The value that says nothing, such as `-`. Where there is little room, it is left out. */
  readonly emptyValue?: string;
  /** If the table is too wide, these columns are left out, the lowest number first. */
  readonly leftOutOrder?: number;
  readonly style?: Style;
  /** Styles a part of the value, which may have been shortened. Must not change its characters. */
  readonly highlight?: (shown: string, row: Row) => Text;
}

interface Cell {
  readonly text: string;
  readonly paint: (shown: string) => Text;
}

/** With shorter names, different rows would look the same. */
const MIN_NAME_WIDTH = 24;
/** A column is left out before names become shorter than this. */
const MIN_NAME_WIDTH_WITH_EXTRAS = 30;
const COLUMN_GAP = '  ';
const BLOCK_INDENT = '  ';

export function textTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  maxWidth = terminalWidth(),
): StyledText {
  const used = columns.filter(({ value, emptyValue }) => rows.some((row) => value(row) !== emptyValue));
  for (const attempt of [columns, used, ...withFewerColumns(used)]) {
    const table = formatTable(rows, attempt, maxWidth);
    if (table !== undefined) return table;
  }
  return joinLines(rows.flatMap((row) => formatBlock(row, used, maxWidth)));
}

/** The columns without the first that may be left out, without the first two, and so on. */
function withFewerColumns<Row>(columns: readonly Column<Row>[]): Column<Row>[][] {
  const orders = columns.flatMap(({ leftOutOrder }) => leftOutOrder ?? []).sort((a, b) => a - b);
  return orders.map((order) => columns.filter(({ leftOutOrder = Number.POSITIVE_INFINITY }) => leftOutOrder > order));
}

/** Returns undefined if the table is too wide even with shorter names. */
function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  maxWidth: number,
): StyledText | undefined {
  const cellRows = [
    columns.map(({ title }): Cell => ({ text: title, paint: (shown) => styled('faint', shown) })),
    ...rows.map((row) => columns.map((column) => createCell(row, column))),
  ];
  const widths = columns.map((_, i) => Math.max(...cellRows.map((cells) => displayWidth(cells[i]?.text ?? ''))));
  const tableWidth = widths.reduce((sum, width) => sum + width, 0) + COLUMN_GAP.length * (columns.length - 1);
  if (tableWidth > maxWidth) {
    const nameColumn = columns.findIndex((column) => column.isName);
    const nameWidth = (widths[nameColumn] ?? 0) - (tableWidth - maxWidth); // negative without a name column
    const hasExtras = columns.some(({ leftOutOrder }) => leftOutOrder !== undefined);
    if (nameWidth < (hasExtras ? MIN_NAME_WIDTH_WITH_EXTRAS : MIN_NAME_WIDTH)) return undefined;
    widths[nameColumn] = nameWidth;
  }
  return joinLines(cellRows.map((cells) => formatLine(cells, columns, widths)));
}

function createCell<Row>(row: Row, { value, style, highlight }: Column<Row>): Cell {
  const paint = (shown: string) => {
    if (highlight !== undefined) return highlight(shown, row);
    return style === undefined ? shown : styled(style, shown);
  };
  return { text: printable(value(row)), paint };
}

function formatLine<Row>(cells: readonly Cell[], columns: readonly Column<Row>[], widths: readonly number[]): Text {
  const parts = cells.flatMap(({ text, paint }, i): Text[] => {
    const width = widths[i] ?? 0;
    const shown = shorten(text, width);
    const padding = ' '.repeat(width - displayWidth(shown));
    const isLast = i === cells.length - 1;
    if (columns[i]?.align === 'right') return [padding, paint(shown), isLast ? '' : COLUMN_GAP];
    return [paint(shown), isLast ? '' : padding + COLUMN_GAP];
  });
  return joinText(parts);
}

function formatBlock<Row>(row: Row, columns: readonly Column<Row>[], width: number): Text[] {
  const heading = columns.find((column) => column.isName) ?? columns[0];
  if (heading === undefined) return [];
  const { text, paint } = createCell(row, heading);
  const facts = columns
    .filter((column) => column !== heading && column.value(row) !== column.emptyValue)
    .flatMap((column) => blockFact(row, column, width - BLOCK_INDENT.length));
  const lines = fillLines(facts, COLUMN_GAP, width - BLOCK_INDENT.length);
  const [firstLine = '', ...otherLines] = wrapWords(text, width);
  return [paint(firstLine), ...otherLines, ...lines.map((line) => joinText([BLOCK_INDENT, line]))];
}

/** One part, or several that end lines if the fact is too wide for one. */
function blockFact<Row>(row: Row, column: Column<Row>, width: number): Text[] {
  const { text, paint } = createCell(row, column);
  const [first = '', ...others] = wrapWords(text, width - displayWidth(column.title) - 1);
  return [joinText([styled('faint', column.title), ' ', paint(first)]), ...others.map(paint)];
}
