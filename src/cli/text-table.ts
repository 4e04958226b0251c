/**
 * Columns of text for people: as wide as needed, numbers to the right.
 */
import { printable } from './printable.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly align?: 'right';
}

export function textTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => printable(column.value(row)))),
  ];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => widthOf(line[i] ?? ''))));
  return cells.map((line) => formatLine(line, columns, widths)).join('\n');
}

function formatLine<Row>(line: readonly string[], columns: readonly Column<Row>[], widths: readonly number[]): string {
  const padded = line.map((cell, i) => {
    const gap = ' '.repeat((widths[i] ?? 0) - widthOf(cell));
    return columns[i]?.align === 'right' ? gap + cell : cell + gap;
  });
  return padded.join('  ').trimEnd();
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// East Asian wide characters take two columns of a terminal
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
