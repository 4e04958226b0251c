/** `toponym geocode`: finds the places of the rows of a table, or those at its coordinates. */

import { fstatSync, type Stats, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { OPTIONS } from 'toponym-engine/options';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { VERSION } from 'toponym-files/program';
import { checkRegularFile } from 'toponym-files/regular-file';
import { checkOutputFile, writeOutputFile } from 'toponym-gazetteer/datasets/check-output';
import { chooseIndex } from 'toponym-gazetteer/datasets/index-choice';
import { indexPaths } from 'toponym-gazetteer/datasets/load-index';
import { findInputs, type InputFile } from 'toponym-gazetteer/sources/input/input-files';
import { openTable, parseDecimal } from 'toponym-gazetteer/sources/input/spreadsheet';
import { parseCountryCode } from 'toponym-gazetteer/sources/regions/countries';
import { SourceError } from 'toponym-gazetteer/sources/report';
import { stateFolderAt } from 'toponym-server/serve/state-folder';
import { chooseColumns, reverseHint } from '../../geocode/columns.ts';
import { addedHeadings, type Counts, firstLines, type GeocodeTask, NO_ROWS } from '../../geocode/geocode-rows.ts';
import { geocodeTable } from '../../geocode/geocode-table.ts';
import { openPartFiles } from '../../geocode/part-files.ts';
import { addExamples } from '../help.ts';
import { type Fact, formatCount, formatDuration, formatFacts } from '../print/facts.ts';
import { note, printResult, requireOpenOutput } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import { joinLines } from '../print/styled-text.ts';
import { shorten } from '../print/text-width.ts';
import { addSettings, collect, readSettings } from '../settings/read-settings.ts';
import { checkLanguage, loadPlaces } from './place-endpoints.ts';

interface GeocodeFlags {
  readonly column?: readonly string[];
  readonly reverse?: boolean;
  readonly minConfidence: string;
  readonly country?: string;
  readonly language?: string;
  readonly out: string;
  readonly review?: string;
  readonly json?: boolean;
}

const SAVE_INTERVAL_MS = 1000;
const OWNER_MAY_WRITE = 0o200;
const MAX_SHOWN_BAD_ROWS = 5;
const MAX_SHOWN_CHARACTERS = 300;
/** A shorter run says more about the start of the program than about its speed. */
const MIN_RATE_SECONDS = 5;
const REMARK =
  'The output has all rows of the table, in its format, with id, label, lat, lng, confidence and matchCode of their ' +
  'places (with --reverse, distance and inside instead of the last two). A row whose place is uncertain has no id, but ' +
  'candidate_id and candidate_label. For a row that cannot be used, such as one with too few cells, the column problem ' +
  'says why. A heading, or in NDJSON a field, that is there already gets the prefix toponym_. If the command is ' +
  'interrupted, it goes on when it is run again. One run at a time writes an output file.';

export function addGeocodeCommand(command: Command): void {
  command
    .option(
      '--column <heading>',
      'place, then regions; or latitude, then longitude; repeatable (default: guessed)',
      collect,
    )
    .option('--reverse', 'find the places at the coordinates of the rows')
    .option('--min-confidence <value>', 'confidence from which a place is sure, from 0 to 1', '0.9')
    .option('--country <codes>', 'only places of these countries (comma-separated ISO codes)')
    .option('--language <tag>', OPTIONS.language.description)
    .option('--out <file>', 'file to write; an existing file is replaced at the end; "-" is standard output', '-')
    .option('--review <file>', 'file for the rows without a sure place, with the reason and up to three candidates');
  addSettings(command, ['index', 'overlay', 'state', 'threads'])
    .option('--json', 'print the report as JSON, on standard error if the rows go to standard output')
    .action((path: string, flags: GeocodeFlags) => geocode(path, flags));
  const examples = [
    'toponym geocode people.csv --out places.csv --review review.csv',
    'toponym geocode people.csv --column city --column country --min-confidence 0.95 --out places.csv',
    'toponym geocode photos.csv --reverse --column lat --column lng --out photos-with-places.csv',
  ];
  addExamples(command, examples, REMARK);
}

async function geocode(path: string, flags: GeocodeFlags): Promise<void> {
  const run = await prepareRun(path, flags);
  const startedMs = performance.now();
  const result = await writeTables(run, startedMs);
  if (result === undefined) return; // the reader of standard output stopped early, as `head` does
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const rowsPerMinute = seconds < MIN_RATE_SECONDS ? undefined : Math.round((result.newRows * 60) / seconds);
  const rate = rowsPerMinute === undefined ? '' : `, ${formatCount(rowsPerMinute)} a minute`;
  const { rows, matched, doubtful, notFound, bad, badRows } = result;
  const counts = { rows, matched, doubtful, notFound, bad };
  const report = { out: run.out ?? '-', review: run.review, ...counts, badRows, seconds, rowsPerMinute };
  const share = (count: number) => `${formatCount(count)} (${((100 * count) / (rows || 1)).toFixed(1)}%)`;
  const problemColumn = addedHeadings(run.data.task).output.at(-1);
  const facts: Fact[] = [
    ['Rows', `${formatCount(rows)} in ${formatDuration(seconds)}${rate}`],
    ['Matched', share(matched)],
    ['Doubtful', share(doubtful)],
    ['Not found', share(notFound)],
    ['Bad rows', bad === 0 ? share(bad) : `${share(bad)}; the column ${problemColumn} says why`],
    ...badRows.map((row): Fact => ['', `  ${row}`]),
    ...run.paths.map((file): Fact => ['Wrote', file]),
  ];
  const text = () => joinLines(formatFacts(facts, { nameWidth: 10 }));
  if (run.out !== undefined) printResult(flags.json, report, text);
  else note(flags.json ? JSON.stringify(report) : text());
}

type Run = Awaited<ReturnType<typeof prepareRun>>;

async function prepareRun(path: string, flags: GeocodeFlags) {
  const settings = readSettings(flags);
  const minConfidence = parseDecimal(flags.minConfidence) ?? Number.NaN;
  if (!(minConfidence >= 0 && minConfidence <= 1)) {
    throw new UsageError(`--min-confidence: must be a number from 0 to 1, got ${JSON.stringify(flags.minConfidence)}.`);
  }
  checkLanguage(flags.language ?? null);
  const { indexFolder } = stateFolderAt(settings.state);
  const choice = chooseIndex(settings.index, indexFolder);
  const inputs = [path, ...indexPaths(choice, indexFolder), settings.overlay ?? path].map((each) => resolve(each));
  const out = flags.out === '-' ? undefined : resolve(flags.out);
  const review = flags.review === undefined ? undefined : resolve(flags.review);
  if (out === undefined) requireOpenOutput();
  else checkOutputFile(out, inputs);
  if (review !== undefined) checkOutputFile(review, inputs, '--review');
  if (review !== undefined && review === out) throw new UsageError('--review: must not be the file of --out.');
  const { input, stats, mode } = openInput(path);
  const { rows, hasByteOrderMark, encoding, headings, delimiter } = await openTable(input).catch((error) => {
    throw error instanceof SourceError ? new UsageError(`${error.message}.`, { cause: error }) : error;
  });
  const isReverse = flags.reverse === true;
  const task: GeocodeTask = {
    delimiter,
    headings,
    columns: chooseColumns(headings, flags.column ?? [], isReverse),
    isReverse,
    minConfidence,
    query: { countries: flags.country?.split(',').map((code) => parseCountryCode(code)), language: flags.language },
    hasReview: review !== undefined,
  };
  noteTable(input.label, encoding, task);
  const index = await loadPlaces(settings);
  const versions = [VERSION, openIndex(index).metadata.version];
  // undefined if it cannot go on later; other data, another table or another option makes another run
  const id = stats && out && JSON.stringify([versions, resolve(path), stats.size, stats.mtimeMs, review, task]);
  const tableBytes = input.name === basename(path) ? stats?.size : undefined;
  const paths = [out, review].filter((each) => each !== undefined);
  const data = { index, task };
  return { id, rows, data, threads: settings.threads, out, review, paths, mode, tableBytes, input, hasByteOrderMark };
}

/** Returns undefined if standard output was closed. */
async function writeTables(run: Run, startedMs: number) {
  const { out, review, paths, mode, tableBytes } = run;
  using files = openPartFiles<Counts & { readonly badRows: string[] }>(paths, { run: run.id, mode });
  const state = files.saved ?? { ...NO_ROWS, badRows: [] };
  const skippedRows = state.rows;
  const write = async (output: string, reviewed: string) => {
    if (out === undefined) await writeToOutput(output);
    else await writeOutputFile(out, () => files.write(0, output));
    if (review !== undefined) await writeOutputFile(review, () => files.write(paths.length - 1, reviewed), '--review');
  };
  const progress = createProgress(`Geocoding ${run.input.label}`);
  let savedMs = -SAVE_INTERVAL_MS; // the first batch is saved at once
  try {
    if (files.saved === undefined) await write(...headingsOf(run));
    else note(`Resuming after row ${formatCount(skippedRows)}, where this command was interrupted.`);
    for await (const batch of geocodeTable(run.rows, run.data, { threads: run.threads, skippedRows })) {
      await write(batch.output, batch.review);
      for (const key of Object.keys(NO_ROWS) as (keyof Counts)[]) state[key] += batch.counts[key];
      const badRows = batch.badRows.slice(0, MAX_SHOWN_BAD_ROWS - state.badRows.length);
      state.badRows.push(...badRows.map((row) => shorten(row, MAX_SHOWN_CHARACTERS)));
      const nowMs = performance.now();
      const perSecond = ((state.rows - skippedRows) * 1000) / (nowMs - startedMs);
      const total = tableBytes && Math.max(state.rows, Math.round((state.rows * tableBytes) / state.bytes));
      const secondsLeft = total && (total - state.rows) / perSecond;
      progress.show({ stage: '', done: state.rows, total, perSecond, secondsLeft });
      if (nowMs - savedMs < SAVE_INTERVAL_MS) continue;
      files.save(state);
      savedMs = nowMs;
    }
    files.finish();
    return { ...state, newRows: state.rows - skippedRows };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return undefined;
    throw error;
  } finally {
    progress.end();
  }
}

/** The first lines of output and review. A pipe gets no byte order mark. */
function headingsOf({ data, out, hasByteOrderMark }: Run): [string, string] {
  const [output, review] = firstLines(data.task);
  const mark = (line: string) => (hasByteOrderMark && line !== '' ? `\ufeff${line}` : line);
  const { fd = -1 }: { readonly fd?: number } = process.stdout; // tests have a stream without one
  const isFile = out !== undefined || (fd !== -1 && fstatSync(fd).isFile());
  return [isFile ? mark(output) : output, mark(review)];
}

async function writeToOutput(text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  await promise;
}

/** Throws UsageError. */
function openInput(path: string): { readonly input: InputFile; readonly stats?: Stats; readonly mode: number } {
  const modeOf = (stats: Stats) => (stats.isFile() ? (stats.mode & 0o777) | OWNER_MAY_WRITE : 0o644 & ~process.umask());
  if (path === '-') {
    const input: InputFile = { label: 'standard input', name: '', path, read: () => process.stdin };
    return { input, mode: modeOf(fstatSync(0)) };
  }
  try {
    const stats = statSync(path);
    checkRegularFile(stats);
    const [input, ...others] = findInputs([path]);
    if (input === undefined || others.length > 0) {
      throw new Error('it is no table but an archive; unpack it, or save the spreadsheet as CSV');
    }
    return { input, stats, mode: modeOf(stats) };
  } catch (error) {
    throw new UsageError(`The table ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
}

/** Says how the table is read, before the work begins. */
function noteTable(label: string, encoding: string, { columns, headings, delimiter, isReverse }: GeocodeTask): void {
  const kind = delimiter === undefined ? 'NDJSON' : `delimiter ${JSON.stringify(delimiter)}`;
  const names = columns.used.map((at) => headings[at]).join(', ');
  const hint = columns.isGuess ? ' (guessed from the headings; --column chooses others)' : '';
  note(`Reading ${label} (${encoding}, ${kind}) with the columns ${names}${hint}.`);
  const remark = reverseHint(headings, isReverse);
  if (remark !== '') note(remark.trim());
}
