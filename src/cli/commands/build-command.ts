/** `toponym build`: builds one index file from gazetteer files and prints a report. */
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { type BuildReport, buildIndex } from '../../build/build-index.ts';
import { checkOutputFile, writeOutputFile } from '../../datasets/check-output.ts';
import { parseCountryCode } from '../../datasets/country-code.ts';
import { readPreviousIndex } from '../../datasets/previous-index.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { writeIndexFile } from '../../index-file/file.ts';
import type { Gazetteer, SourceReport } from '../../place/gazetteer.ts';
import { concatenate } from '../../sources/concatenate.ts';
import { openGeonames } from '../../sources/geonames/geonames.ts';
import { openNdjson } from '../../sources/ndjson/ndjson.ts';
import { noPlacesError } from '../../sources/no-places.ts';
import { openOsm } from '../../sources/osm/osm.ts';
import type { OnProgress } from '../../sources/report.ts';
import { SourceError } from '../../sources/source-error.ts';
import type { SourceFormat } from '../../sources/source-format.ts';
import { didYouMean } from '../did-you-mean.ts';
import { addExamples } from '../help.ts';
import { type Fact, formatCount, formatFacts, formatMegabytes } from '../print/facts.ts';
import { note, printResult } from '../print/output.ts';
import { createProgress, isBlockingStage } from '../print/progress.ts';
import { joinLines, type StyledText, type Text } from '../print/styled-text.ts';

interface OpenOptions {
  readonly country?: string;
  readonly onProgress: OnProgress;
}

type Opener = (paths: readonly string[], options: OpenOptions) => Promise<readonly Gazetteer[]>;

const OPENERS: Readonly<Record<SourceFormat, Opener>> = {
  geonames: async (paths, { onProgress }) => [await openGeonames(paths, onProgress)],
  osm: openOsmFiles,
  ndjson: async (paths) => [await openNdjson(paths)],
};
export const FORMATS: readonly string[] = Object.keys(OPENERS);
const FORMAT_NAMES = FORMATS.join(', ');
const FACT_LAYOUT = { nameWidth: 10 } as const;

interface BuildFlags {
  readonly from: readonly string[];
  readonly out: string;
  readonly country?: string;
  readonly json?: boolean;
}

export function addBuildCommand(program: Command): void {
  const command = program
    .command('build')
    .description('build an index file from gazetteer files')
    .requiredOption('--from <format path...>', `a format (${FORMAT_NAMES}) and its files; may be repeated`)
    .requiredOption('--out <file>', 'index file to write; an existing file is replaced atomically')
    .option('--country <code>', 'for osm: country of places outside all country boundaries in the file')
    .option('--json', 'print the report as JSON')
    .action((flags: BuildFlags) => build(flags));
  addExamples(command, [
    'toponym build --from geonames cities500.zip admin1CodesASCII.txt admin2Codes.txt --out world.toponym',
    'toponym build --from geonames allCountries.zip alternateNamesV2.zip --from ndjson own.ndjson --out world.toponym',
    'toponym build --from osm liechtenstein.osm.pbf --country LI --out li.toponym',
  ]);
}

async function build(flags: BuildFlags): Promise<void> {
  const startedMs = performance.now();
  const groups = groupSources(flags.from);
  const countryOption = flags.country === undefined ? {} : { country: parseCountryCode(flags.country) };
  const out = resolve(flags.out);
  const inputs = groups.flatMap(({ paths }) => paths);
  checkOutputFile(out, inputs);
  const progress = createProgress(`Building ${basename(out)}`);
  const onProgress: OnProgress = (step) => progress.show({ ...step, isBlocking: isBlockingStage(step.stage) });
  const options = { ...countryOption, onProgress, out };
  const { chunks, report, gazetteers, version } = await readAndBuild(groups, options)
    .catch((error: unknown) => {
      if (!isInputError(error)) throw error;
      throw new UsageError(`--from ${errorMessage(error)}.`, { cause: error });
    })
    .finally(() => progress.end());
  if (report.places === 0) {
    note(joinLines(formatRejected(report.source.rejected)));
    throw await noPlacesError(groups, out);
  }
  writeOutputFile(out, () => writeIndexFile(out, chunks));
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const run = { out, seconds, version, attribution: gazetteers.flatMap(({ attribution }) => attribution) };
  printResult(flags.json, presentReport(report, run, gazetteers), () => formatReport(report, run));
}

async function readAndBuild(groups: readonly SourceGroup[], options: OpenOptions & { readonly out: string }) {
  const gazetteers: Gazetteer[] = [];
  for (const { format, paths } of groups) gazetteers.push(...(await OPENERS[format](paths, options)));
  const [first, ...others] = gazetteers;
  const gazetteer = first !== undefined && others.length === 0 ? first : concatenate(gazetteers);
  const rowsRead = () => gazetteers.reduce((sum, { report }) => sum + report.rowsRead, 0);
  const built = await buildIndex(
    gazetteer,
    // shows rows instead of places while reading, because rejected rows take time too
    (step) => options.onProgress(step.stage === 'reading' ? { stage: 'reading rows', done: rowsRead() } : step),
    // an id that only the replaced index has becomes a redirect to its successor
    { previous: readPreviousIndex(options.out) },
  );
  return { ...built, gazetteers, version: gazetteer.version };
}

async function openOsmFiles(paths: readonly string[], options: OpenOptions): Promise<Gazetteer[]> {
  const gazetteers: Gazetteer[] = [];
  for (const path of paths) gazetteers.push(await openOsm(path, options));
  return gazetteers;
}

interface SourceGroup {
  readonly format: SourceFormat;
  readonly paths: string[];
}

/** Groups the words of all `--from` flags, in which each format comes before its files. */
function groupSources(from: readonly string[]): SourceGroup[] {
  const groups: SourceGroup[] = [];
  for (const word of from) {
    const group = groups.at(-1);
    if (isFormat(word)) {
      if (word !== group?.format) groups.push({ format: word, paths: [] });
    } else if (group === undefined) {
      const hint = didYouMean(word, Object.keys(OPENERS)) || '.';
      throw new UsageError(`--from: must begin with a format (${FORMAT_NAMES}), got ${JSON.stringify(word)}${hint}`);
    } else group.paths.push(word);
  }
  const empty = groups.find(({ paths }) => paths.length === 0);
  if (empty !== undefined) throw new UsageError(`--from ${empty.format}: name at least one file.`);
  return groups;
}

function isFormat(word: string): word is SourceFormat {
  return Object.hasOwn(OPENERS, word);
}

/** Whether an input file is damaged or cannot be read. */
function isInputError(error: unknown): boolean {
  return error instanceof SourceError || (error instanceof Error && 'syscall' in error && 'path' in error);
}

interface BuildRun {
  readonly out: string;
  readonly seconds: number;
  readonly version: string;
  readonly attribution: readonly string[];
}

function presentReport(report: BuildReport, run: BuildRun, gazetteers: readonly Gazetteer[]) {
  const { source, places, names, bytes, merged, retired } = report;
  const sources = gazetteers.map((each) => ({ version: each.version, ...presentSource(each.report) }));
  return { ...run, ...presentSource(source), places, names, bytes, merged, retired, sources };
}

function presentSource({ rowsRead, rowsKept, rejected }: SourceReport) {
  return { rowsRead, rowsKept, rejected: Object.fromEntries(rejected) };
}

function formatReport({ source, places, names, bytes, merged, retired }: BuildReport, run: BuildRun): StyledText {
  const facts: Fact[] = [
    ['Wrote', `${run.out} (${formatMegabytes(bytes)}) in ${run.seconds} s`],
    ['Data', run.version],
    ...run.attribution.map((owner): Fact => ['Credit', owner]),
    ['Rows read', formatCount(source.rowsRead)],
    ['Rows kept', formatCount(source.rowsKept)],
    ['Merged', `${formatCount(merged.bySharedId)} by a shared id, ${formatCount(merged.byName)} by name`],
    ['Places', formatCount(places)],
    ['Old ids', `${formatCount(retired)} redirected to current places`],
    ['Names', formatCount(names)],
  ];
  return joinLines([...formatFacts(facts, FACT_LAYOUT), ...formatRejected(source.rejected)]);
}

function formatRejected(rejected: SourceReport['rejected']): Text[] {
  if (rejected.size === 0) return formatFacts([['Rejected', 'none']], FACT_LAYOUT);
  const facts = [...rejected].flatMap(([reason, { count, samples }]): Fact[] => [
    ['Rejected', `${formatCount(count)}: ${reason}`],
    ...samples.map((sample): Fact => ['', `  ${sample}`]),
  ]);
  return formatFacts(facts, FACT_LAYOUT);
}
