/** `toponym inspect`: verifies an index file and shows its contents. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readNamedIndex } from '../../datasets/load-index.ts';
import { describeIndex, type IndexDescription } from '../../index-file/describe.ts';
import { formatCount, formatFacts } from '../print/facts.ts';
import { printResult } from '../print/output.ts';
import { type Column, textTable } from '../print/text-table.ts';

const MAX_ROWS = 15;

export function addInspectCommand(program: Command): void {
  program
    .command('inspect')
    .description('verify an index file and show its contents')
    .argument('<file>', 'index file')
    .option('--json', 'print JSON')
    .action((file: string, flags: { json?: boolean }) => {
      const path = resolve(file);
      const description = describeIndex(readNamedIndex(path));
      printResult(flags.json, { path, ...description }, () => formatDescription(path, description));
    });
}

function formatDescription(path: string, index: IndexDescription): string {
  const facts: [string, string][] = [
    ['File', `${path} (${formatCount(index.bytes)} bytes, all checksums valid)`],
    ['Format', index.formatVersion],
    ['Data', index.dataVersion],
    ['Source', index.attribution.join('; ')],
    ['Places', formatCount(index.places)],
    ['Names', formatCount(index.names)],
  ];
  const sections = textTable(index.sections, [
    { title: 'SECTION', value: (section) => section.name },
    { title: 'BYTES', value: (section) => formatCount(section.bytes), align: 'right' },
    { title: 'CRC-32', value: (section) => section.checksum.toString(16).padStart(8, '0') },
  ]);
  const types = textTable(Object.entries(index.byType), countColumns('TYPE'));
  const countries = formatTopRows(index.byCountry, countColumns('COUNTRY'));
  const languages = formatTopRows(index.byLanguage, countColumns('LANGUAGE', 'NAMES'));
  return [...formatFacts(facts, 8), '', types, '', ...countries, '', ...languages, '', sections].join('\n');
}

function formatTopRows(counts: Readonly<Record<string, number>>, columns: Column<[string, number]>[]): string[] {
  const entries = Object.entries(counts);
  const table = textTable(entries.slice(0, MAX_ROWS), columns);
  return entries.length > MAX_ROWS ? [table, `and ${entries.length - MAX_ROWS} more; --json lists all`] : [table];
}

function countColumns(title: string, counted = 'PLACES'): Column<[string, number]>[] {
  return [
    { title, value: ([name]) => name },
    { title: counted, value: ([, number]) => formatCount(number), align: 'right' },
  ];
}
