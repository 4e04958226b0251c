/** Report of a section as plain data, and its formatting for a terminal and for Markdown. */
import { type Column, textTable } from 'toponym-program/cli/print/text-table';
import type { Panel } from './chart.ts';

export interface SectionReport {
  readonly title: string;
  /** Paragraphs about what was measured and how. */
  readonly method: readonly string[];
  readonly tables: readonly Table[];
  readonly panels: readonly Panel[];
  /** Engines that are not in the tables, with the reason. */
  readonly skipped: readonly string[];
}

export interface Table {
  readonly title: string;
  /** The first column is text, the others are figures. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Report of a section that cannot run on this machine. */
export function skippedSection(title: string, reason: string): SectionReport {
  return { title, method: [], tables: [], panels: [], skipped: [reason] };
}

export function toTerminal(report: SectionReport): string {
  const tables = report.tables.map(terminalTable);
  return [`== ${report.title} ==`, ...tables, ...report.skipped.map((reason) => `Skipped: ${reason}`)].join('\n\n');
}

export function toMarkdown(report: SectionReport): string {
  const skipped =
    report.skipped.length === 0 ? [] : [report.skipped.map((reason) => `- Skipped: ${reason}`).join('\n')];
  return [`## ${report.title}`, ...report.method, ...report.tables.map(markdownTable), ...skipped].join('\n\n');
}

/** Replaces the part of a page that a command writes, between its two markers. */
export function replacePart(page: string, command: string, part: string): string {
  const begin = `<!-- ${command}: begin -->`;
  const [start, end] = [page.indexOf(begin), page.indexOf(`<!-- ${command}: end -->`)];
  if (start < 0 || end < start) throw new Error(`the page must contain ${begin} and a marker of its end`);
  return `${page.slice(0, start + begin.length)}\n\n${part}\n\n${page.slice(end)}`;
}

function terminalTable({ title, columns, rows }: Table): string {
  const shown = columns.map((name, i): Column<readonly string[]> => {
    const column = { title: name, value: (row: readonly string[]) => row[i] ?? '' };
    return i === 0 ? column : { ...column, align: 'right' };
  });
  return `${title}\n${textTable(rows, shown)}`;
}

function markdownTable({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, i) => (i === 0 ? '---' : '---:'));
  return [`**${title}**`, '', line(columns), line(rule), ...rows.map(line)].join('\n');
}

/** Formats microseconds in the most readable unit. */
export function formatUs(us: number): string {
  if (!Number.isFinite(us)) return '-';
  if (us < 1000) return `${twoDigits(us)} µs`;
  if (us < 1_000_000) return `${twoDigits(us / 1000)} ms`;
  return `${twoDigits(us / 1_000_000)} s`;
}

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

export function formatLatencies({
  p50,
  p99,
  correctShare,
}: {
  p50: number;
  p99: number;
  correctShare: number;
}): string {
  return `${formatUs(p50)} / ${formatUs(p99)}, ${formatPercent(correctShare)}`;
}

export function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

function twoDigits(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value));
}
