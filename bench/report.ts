/** What a section found, in plain data, and how it reads in a terminal and in Markdown. */
import { type Column, textTable } from '../src/cli/print/text-table.ts';
import type { Panel } from './chart.ts';

export interface SectionReport {
  readonly title: string;
  /** Paragraphs that say what was measured and how. */
  readonly method: readonly string[];
  readonly tables: readonly Table[];
  readonly panels: readonly Panel[];
  /** What is not in the tables, with the reason. */
  readonly skipped: readonly string[];
}

export interface Table {
  readonly title: string;
  /** The first column is text, the others are figures, unless `isText`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly isText?: boolean;
}

/** A section that this machine lacks something for. */
export function skippedSection(title: string, reason: string): SectionReport {
  return { title, method: [], tables: [], panels: [], skipped: [reason] };
}

/** For the terminal: without the tables of settings, which are long. */
export function toTerminal(report: SectionReport): string {
  const tables = report.tables.filter(({ isText }) => !isText).map(terminalTable);
  return [`== ${report.title} ==`, ...tables, ...report.skipped.map((reason) => `Skipped: ${reason}`)].join('\n\n');
}

export function toMarkdown(report: SectionReport): string {
  const skipped =
    report.skipped.length === 0 ? [] : [report.skipped.map((reason) => `- Skipped: ${reason}`).join('\n')];
  return [`## ${report.title}`, ...report.method, ...report.tables.map(markdownTable), ...skipped].join('\n\n');
}

function terminalTable({ title, columns, rows }: Table): string {
  const shown = columns.map((name, i): Column<readonly string[]> => {
    const column = { title: name, value: (row: readonly string[]) => row[i] ?? '' };
    return i === 0 ? column : { ...column, align: 'right' };
  });
  return `${title}\n${textTable(rows, shown)}`;
}

function markdownTable({ title, columns, rows, isText }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, i) => (i === 0 || isText ? '---' : '---:'));
  return [`**${title}**`, '', line(columns), line(rule), ...rows.map(line)].join('\n');
}

/** Microseconds, with the unit that reads best. */
export function formatUs(us: number): string {
  if (!Number.isFinite(us)) return '-';
  if (us < 1000) return `${precise(us)} µs`;
  if (us < 1_000_000) return `${precise(us / 1000)} ms`;
  return `${precise(us / 1_000_000)} s`;
}

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

export function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

function precise(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value));
}
