/** `toponym inspect`: verifies an index file and shows its contents. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatData } from 'toponym-engine/index-file/data-age';
import { refuseIndexUrl } from 'toponym-gazetteer/datasets/index-choice';
import { readVerifiedIndex } from 'toponym-gazetteer/datasets/load-index';
import { addExamples } from '../help.ts';
import { type Fact, formatCount, formatFacts } from '../print/facts.ts';
import { describeIndex, type IndexDescription } from '../print/index-description.ts';
import { printResult } from '../print/output.ts';
import { joinLines, type StyledText, styled } from '../print/styled-text.ts';
import { textTable } from '../print/text-table.ts';

const MAX_COUNT_ROWS = 15;

export function addInspectCommand(command: Command): void {
  command.option('--json', 'print JSON').action((file: string, flags: { json?: boolean }) => {
    refuseIndexUrl(file);
    const path = resolve(file);
    const description = describeIndex(readVerifiedIndex(path));
    printResult(flags.json, { path, ...description }, () => formatDescription(path, description));
  });
  addExamples(command, ['toponym inspect world.toponym', 'toponym inspect world.toponym --json']);
}

function formatDescription(path: string, index: IndexDescription): StyledText {
  const facts: Fact[] = [
    ['File', `${path} (${formatCount(index.bytes)} bytes, all checksums valid)`],
    ['Format', index.formatVersion],
    ['Data', formatData(index.dataVersion, new Date())],
    ['Version', index.dataVersion],
    ['Source', index.attribution.join('; ')],
    ['Places', formatCount(index.places)],
    ['Names', formatCount(index.names)],
    ['Sections', `${index.sections.length}; --json lists them with their sizes and checksums`],
  ];
  const types = countTable(index.byType, 'TYPE', 'PLACES');
  const countries = countTable(index.byCountry, 'COUNTRY', 'PLACES');
  const languages = countTable(index.byLanguage, 'LANGUAGE', 'NAMES');
  return joinLines([...formatFacts(facts, { nameWidth: 8 }), '', types, '', countries, '', languages]);
}

function countTable(counts: Readonly<Record<string, number>>, nameTitle: string, countTitle: string): StyledText {
  const entries = Object.entries(counts);
  const table = textTable(entries.slice(0, MAX_COUNT_ROWS), [
    { title: nameTitle, value: ([name]) => name },
    { title: countTitle, value: ([, count]) => formatCount(count), align: 'right' },
  ]);
  const omitted = entries.length - MAX_COUNT_ROWS;
  return omitted > 0 ? joinLines([table, styled('faint', `and ${omitted} more; --json lists all`)]) : table;
}
