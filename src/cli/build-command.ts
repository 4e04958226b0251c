/**
 * `toponym build`: gazetteer files to one index file, with an account of what was read and refused.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type BuildReport, buildIndex } from '../build/build-index.ts';
import { writeIndexFile } from '../index-file/file.ts';
import type { Gazetteer, SourceReport } from '../place/gazetteer.ts';
import { reasonOf, UsageError } from '../serve/usage-error.ts';
import { openGeonames } from '../sources/geonames.ts';
import { printResult } from './output.ts';
import { createProgress } from './progress.ts';

/** Formats by name, and how their files are opened. */
const FORMATS: Readonly<Record<string, (paths: readonly string[]) => Gazetteer>> = {
  geonames: (paths) => openGeonames(paths),
};

interface BuildFlags {
  readonly from: readonly string[];
  readonly out: string;
  readonly json?: boolean;
}

export function addBuildCommand(program: Command): void {
  program
    .command('build')
    .description('make an index file from gazetteer files')
    .requiredOption(
      '--from <format path...>',
      `a format (${Object.keys(FORMATS).join(', ')}) and its files; may be repeated`,
    )
    .requiredOption('--out <file>', 'index file to write; replaced whole, or not at all')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample: toponym build --from geonames allCountries.txt --out world.toponym')
    .action((flags: BuildFlags) => build(flags));
}

async function build(flags: BuildFlags): Promise<void> {
  const startedMs = performance.now();
  const gazetteer = openSource(flags.from);
  const progress = createProgress(`Building ${flags.out}`);
  const { bytes, report } = await buildIndex(gazetteer, (step) => progress.show(step)).finally(() => progress.end());
  const out = resolve(flags.out);
  try {
    writeIndexFile(out, bytes);
  } catch (error) {
    throw new UsageError(`--out ${out} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const run = { out, seconds, version: gazetteer.version };
  printResult(flags.json, presentReport(report, run), () => formatReport(report, run));
}

function openSource(from: readonly string[]): Gazetteer {
  const [format = '', ...rest] = from;
  const open = FORMATS[format];
  if (open === undefined) {
    const known = Object.keys(FORMATS).join(', ');
    throw new UsageError(
      `--from: ${JSON.stringify(format)} is not a format that can be read; this version reads ${known}.`,
    );
  }
  // `--from geonames a.txt --from geonames b.txt` arrives as one list
  const paths = rest.filter((word) => word !== format);
  const other = paths.find((word) => Object.hasOwn(FORMATS, word));
  if (other !== undefined) throw new UsageError(`--from: ${format} and ${other} cannot go into one index.`);
  if (paths.length === 0) throw new UsageError(`--from ${format}: name at least one file.`);
  try {
    return open(paths);
  } catch (error) {
    throw new UsageError(`--from ${format}: ${reasonOf(error)}.`, { cause: error });
  }
}

interface BuildRun {
  readonly out: string;
  readonly seconds: number;
  readonly version: string;
}

function presentReport({ source, places, names, bytes }: BuildReport, run: BuildRun): object {
  const { rowsRead, rowsKept, rejected } = source;
  return { ...run, rowsRead, rowsKept, rejected: Object.fromEntries(rejected), places, names, bytes };
}

function formatReport({ source, places, names, bytes }: BuildReport, run: BuildRun): string {
  const facts = [
    ['Wrote', `${run.out} (${(bytes / 1e6).toFixed(1)} MB) in ${run.seconds} s`],
    ['Data', run.version],
    ['Rows read', source.rowsRead.toLocaleString('en')],
    ['Rows kept', source.rowsKept.toLocaleString('en')],
    ['Places', places.toLocaleString('en')],
    ['Names', names.toLocaleString('en')],
  ].map(([name = '', value]) => `${name.padEnd(10)} ${value}`);
  return [...facts, ...formatRejected(source.rejected)].join('\n');
}

function formatRejected(rejected: SourceReport['rejected']): string[] {
  if (rejected.size === 0) return ['Rejected   none'];
  return [...rejected].flatMap(([reason, { count, samples }]) => [
    `Rejected   ${count.toLocaleString('en')}: ${reason}`,
    ...samples.map((sample) => `             ${sample}`),
  ]);
}
