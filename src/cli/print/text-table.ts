/** Text tables that fit the terminal: names are shortened, or each row becomes a block of lines. */
import { printable } from './printable.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly align?: 'right';
  /** Whether this column may be shortened and heads each block. */
  readonly isName?: boolean;
}

/** With shorter names, different rows would look the same. */
const MIN_NAME_WIDTH = 24;
const COLUMN_GAP = '  ';

export function textTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  maxWidth = terminalWidth(),
): string {
  const cellRows = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => printable(column.value(row)))),
  ];
  const widths = columns.map((_, i) => Math.max(...cellRows.map((cells) => displayWidth(cells[i] ?? ''))));
  const tableWidth = widths.reduce((sum, width) => sum + width, 0) + COLUMN_GAP.length * (columns.length - 1);
  if (tableWidth > maxWidth) {
    const nameColumn = columns.findIndex((column) => column.isName);
    // without a name column this is negative, so the rows become blocks
    const nameWidth = (widths[nameColumn] ?? 0) - (tableWidth - maxWidth);
    if (nameWidth < MIN_NAME_WIDTH) return rows.map((row) => formatBlock(row, columns, maxWidth)).join('\n');
    widths[nameColumn] = nameWidth;
  }
  return cellRows.map((cells) => formatLine(cells, columns, widths)).join('\n');
}

/** Joins parts into lines at most `width` wide. A wider part gets its own line. */
export function fillLines(parts: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}${separator}${part}`;
    if (last === undefined || displayWidth(longer) > width) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Infinite without a terminal, so that programs read one row per line. */
export function terminalWidth(): number {
  return process.stdout.columns ?? Number.POSITIVE_INFINITY;
}

function formatBlock<Row>(row: Row, columns: readonly Column<Row>[], width: number): string {
  const heading = columns.find((column) => column.isName) ?? columns[0];
  if (heading === undefined) return '';
  const facts = columns
    .filter((column) => column !== heading)
    .map((column) => `${column.title} ${printable(column.value(row))}`);
  const indent = '  ';
  const lines = fillLines(facts, COLUMN_GAP, width - indent.length);
  return [printable(heading.value(row)), ...lines.map((line) => indent + line)].join('\n');
}

function formatLine<Row>(cells: readonly string[], columns: readonly Column<Row>[], widths: readonly number[]): string {
  const padded = cells.map((cell, i) => {
    const width = widths[i] ?? 0;
    const text = shorten(cell, width);
    const padding = ' '.repeat(width - displayWidth(text));
    return columns[i]?.align === 'right' ? padding + text : text + padding;
  });
  return padded.join(COLUMN_GAP).trimEnd();
}

function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let shortened = '';
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(`${shortened}${segment}…`) > width) break;
    shortened += segment;
  }
  return `${shortened}…`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// East Asian wide characters take two columns of a terminal
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
