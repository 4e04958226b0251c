/** `toponym build`: builds one index file from gazetteer files and prints a report. */
import { rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { formatData } from 'toponym-engine/index-file/data-age';
import type { SourceReport } from 'toponym-engine/place/place';
import { didYouMean } from 'toponym-files/errors/did-you-mean';
import { errorMessage, UsageError } from 'toponym-files/errors/errors';
import type { BuildReport } from 'toponym-gazetteer/build/build-index';
import { checkOutputFile } from 'toponym-gazetteer/datasets/check-output';
import { buildSources, type SourceBuild, type SourceGroup } from 'toponym-gazetteer/datasets/source-build';
import type { SourceFilter } from 'toponym-gazetteer/sources/filter';
import { canonicalLanguage } from 'toponym-gazetteer/sources/place-values';
import { parseCountryCode } from 'toponym-gazetteer/sources/regions/countries';
import { SourceError } from 'toponym-gazetteer/sources/report';
import { noPlacesError, SOURCE_FORMATS } from 'toponym-gazetteer/sources/source-format';
import { addChoices, addExamples } from '../help.ts';
import { type Fact, formatCount, formatFacts, formatMegabytes } from '../print/facts.ts';
import { NotFoundError, note, printResult } from '../print/output.ts';
import { createProgress } from '../print/progress.ts';
import { joinLines, type StyledText, type Text } from '../print/styled-text.ts';
import { prepareStaticSite, type StaticSite, writeStaticSite } from './static-site.ts';

const FORMAT_NAMES = SOURCE_FORMATS.join(', ');
const FACT_LAYOUT = { nameWidth: 10 } as const;

interface BuildFlags {
  readonly from?: readonly string[];
  readonly out?: string;
  readonly static?: string;
  readonly country?: string;
  readonly minPopulation?: string;
  readonly countries?: string;
  readonly languages?: string;
  readonly json?: boolean;
}

export function addBuildCommand(command: Command): void {
  command
    .option(
      '--from <format path...>',
      `a format (${FORMAT_NAMES}) and its files; may be repeated (default: the embedded data)`,
    )
    .option('--out <file>', 'index file to write; an existing file is replaced atomically')
    .option('--static <folder>', 'write a folder for any static host: the index, packed for browsers, and a page')
    .option('--country <code>', 'for osm: country of places outside all country boundaries in the file')
    .option('--min-population <number>', 'only places with this many people or more, and capitals of countries')
    .option('--countries <codes>', 'only places of these countries (comma-separated ISO codes)')
    .option('--languages <codes>', 'leave out names in other languages than these (comma-separated, such as de,en)')
    .option('--json', 'print the report as JSON')
    .action((flags: BuildFlags) => build(flags));
  addChoices(command, 'from', SOURCE_FORMATS);
  addExamples(command, [
    'toponym build --from geonames cities500.zip admin1CodesASCII.txt admin2Codes.txt --out world.toponym',
    'toponym build --from geonames allCountries.zip alternateNamesV2.zip --from ndjson own.ndjson --out world.toponym',
    'toponym build --min-population 15000 --out cities.toponym',
    'toponym build --min-population 15000 --languages de,en --static public/places',
    'toponym build --from osm liechtenstein.osm.pbf --country LI --out li.toponym',
    'toponym build --from index world.toponym --from overlay fixes.ndjson --out corrected.toponym',
  ]);
}

async function build(flags: BuildFlags): Promise<void> {
  const startedMs = performance.now();
  const groups = groupSources(flags.from ?? []);
  const filter = parseFilter(flags);
  const countryOption = flags.country === undefined ? {} : { country: parseCountryCode(flags.country) };
  const folder = flags.static ? resolve(flags.static) : undefined;
  if (flags.out === undefined && folder === undefined) {
    throw new UsageError('name the index file to write: --out FILE, or a folder for a static host: --static FOLDER.');
  }
  const packed = folder === undefined ? undefined : await prepareStaticSite(folder);
  const out = resolve(flags.out ?? packed ?? '');
  // pages must never load an index that is not packed yet
  const built = flags.out === undefined ? `${out}.part` : out;
  const inputs = groups.flatMap(({ paths }) => paths);
  checkOutputFile(out, inputs, flags.out === undefined ? '--static' : '--out');
  const progress = createProgress(`Building ${basename(out)}`);
  const { report, gazetteers, version } = await buildSources(
    { sources: groups, ...(filter && { filter }), ...countryOption, out: built, outName: '--out' },
    progress.show,
  )
    .catch((error: unknown) => {
      if (!isInputError(error)) throw error;
      throw new UsageError(`--from ${errorMessage(error)}.`, { cause: error });
    })
    .finally(() => progress.end());
  if (report.places === 0) {
    note(joinLines(formatRejected(report.source.rejected)));
    if (filter !== undefined) {
      throw new NotFoundError(`no place matches the filters; ${out} was not written.`);
    }
    throw await noPlacesError(groups, out);
  }
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const attribution = gazetteers.flatMap((each) => each.attribution);
  const site = folder === undefined ? undefined : await writeStaticSite(folder, built, attribution);
  if (built !== out) rmSync(built);
  const run = { out, seconds, version, attribution, ...(site && { static: site }) };
  printResult(flags.json, presentReport(report, run, gazetteers), () => formatReport(report, run));
}

/** Groups the words of all `--from` flags, in which each format comes before its files. */
function groupSources(from: readonly string[]): SourceGroup[] {
  const groups: (SourceGroup & { readonly paths: string[] })[] = [];
  for (const word of from) {
    const group = groups.at(-1);
    const format = SOURCE_FORMATS.find((each) => each === word);
    if (format !== undefined) {
      if (format !== group?.format) groups.push({ format, paths: [] });
    } else if (group === undefined) {
      const hint = didYouMean(word, SOURCE_FORMATS) || '.';
      throw new UsageError(`--from: must begin with a format (${FORMAT_NAMES}), got ${JSON.stringify(word)}${hint}`);
    } else group.paths.push(word);
  }
  const empty = groups.find(({ paths }) => paths.length === 0);
  if (empty !== undefined) throw new UsageError(`--from ${empty.format}: name at least one file.`);
  groups.forEach(({ format, paths }, i) => {
    if (
      format !== 'overlay' ||
      (paths.length === 1 && groups[i - 1]?.format === 'index' && groups[i - 1]?.paths.length === 1)
    )
      return;
    throw new UsageError(
      '--from overlay: must be one file and follow one index, whose places it changes: --from index BASE --from overlay FILE.',
    );
  });
  return groups;
}

/** Throws UsageError. */
function parseFilter({ minPopulation, countries, languages }: BuildFlags): SourceFilter | undefined {
  if ((minPopulation ?? countries ?? languages) === undefined) return undefined;
  return {
    minPopulation: minPopulation === undefined ? undefined : parsePopulation(minPopulation),
    countries: countries?.split(',').map((code) => parseCountryCode(code, '--countries')),
    languages: languages?.split(',').map(parseLanguage),
  };
}

function parsePopulation(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new UsageError(
    `--min-population: must be an integer of at least 0, such as 15000, got ${JSON.stringify(text)}.`,
  );
}

function parseLanguage(text: string): string {
  const code = canonicalLanguage(text.trim()).toLowerCase();
  if (/^[a-z]{2,3}$/.test(code)) return code;
  throw new UsageError(`--languages: must be codes such as de,en (without a region), got ${JSON.stringify(text)}.`);
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
  readonly static?: StaticSite;
}

function presentReport(report: BuildReport, run: BuildRun, gazetteers: SourceBuild['gazetteers']) {
  const { source, places, names, bytes, merged, retired } = report;
  const sources = gazetteers.map((each) => ({ version: each.version, ...presentSource(each.report) }));
  return { ...run, ...presentSource(source), places, names, bytes, merged, retired, sources };
}

function presentSource({ rowsRead, rowsKept, rejected }: SourceReport) {
  return { rowsRead, rowsKept, rejected: Object.fromEntries(rejected) };
}

function formatReport({ source, places, names, bytes, merged, retired }: BuildReport, run: BuildRun): StyledText {
  const facts: Fact[] = [
    ['Wrote', `${run.out} (${formatMegabytes(run.static?.indexBytes ?? bytes)}) in ${run.seconds} s`],
    ['Static', run.static && `${run.static.folder}: ${run.static.files.join(', ')}`],
    ['Data', formatData(run.version, new Date())],
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
