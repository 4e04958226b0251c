/**
 * `npm run typing`: tells how well a search serves people who are still typing, on cases drawn from
 * the embedded data. Options:
 *
 *   --only PART  measures one part: confidence, regions or namesakes
 *   --seed N     draws other cases
 *   --failures   lists what was typed in the cases that fail
 */
import { parseArgs } from 'node:util';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { type Column, textTable } from 'toponym-program/cli/print/text-table';
import { builtIndex } from '../../support/built-index.ts';
import { type Claim, claimsAbout, observe } from '../confidence/observations.ts';
import { CLAIM_COLUMNS } from '../confidence/reliability.ts';
import { beginnings, hiddenByRegions, lostNamesakes, MEASURING_SEED } from './measures.ts';

const BEGINNINGS_PER_LETTER_COUNT = 4000;
const TWO_WORD_PLACES = 300;
const SHARED_NAMES = 500;
const PARTS = { confidence: printConfidence, regions: printRegions, namesakes: printNamesakes };

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: String(MEASURING_SEED) },
    failures: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const bytes = readIndexFile(await builtIndex());
const index = openIndex(bytes);
const engine = openEngine(bytes);
for (const [name, printPart] of Object.entries(PARTS)) {
  if (values.only === undefined || values.only === name) printPart();
}

interface LetterRow {
  readonly letters: number | string;
  readonly claims: readonly Claim[];
}

function printConfidence(): void {
  const rows: LetterRow[] = [...beginnings(index, BEGINNINGS_PER_LETTER_COUNT, seed)].map(([letters, queries]) => ({
    letters,
    claims: claimsAbout(queries.flatMap((query) => observe(engine, query) ?? [])),
  }));
  const all: LetterRow = { letters: 'all', claims: rows.flatMap(({ claims }) => claims) };
  const columns: Column<LetterRow>[] = [
    { title: 'letters typed', value: ({ letters }) => String(letters), align: 'right' },
    ...CLAIM_COLUMNS,
  ];
  print(`Beginnings of names, places drawn by population:\n${textTable([...rows, all], columns)}\n`);
}

function printRegions(): void {
  print('A place of two words comes after one found by an unfinished region:');
  for (const { letters, count, hidden } of hiddenByRegions(engine, index, TWO_WORD_PLACES, seed)) {
    print(`${hidden.length} of ${count}, ${letters} of the second word's letters typed`);
    printFailures(hidden);
  }
  print('');
}

function printNamesakes(): void {
  const { count, lost, lostToCorrections } = lostNamesakes(engine, index, SHARED_NAMES, seed);
  print('A namesake is not on the page before the last letter is typed:');
  print(`${lost.length} of ${count} names, ${lostToCorrections.length} of them although the page has a correction`);
  printFailures(lost);
}

function printFailures(texts: readonly string[]): void {
  if (values.failures && texts.length > 0) print(`  ${texts.join('\n  ')}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
