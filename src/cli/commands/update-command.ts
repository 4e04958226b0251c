/** `toponym update`: downloads the latest places and builds an index, unless it is up to date. */
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { GEONAMES_SETS, planGeonames } from '../../datasets/geonames-plan.ts';
import { type BuiltIndex, type UpdateResult, updateGeonames } from '../../datasets/geonames-update.ts';
import { publicUrl } from '../../fetch/format-url.ts';
import { openIndexFolder, openStateFolder } from '../../serve/state/state-folder.ts';
import { requireOneOf } from '../did-you-mean.ts';
import { addExamples } from '../help.ts';
import { downloadStage } from '../print/download-progress.ts';
import { type Fact, formatCount, formatFacts, formatMegabytes } from '../print/facts.ts';
import { terminalWidth, wrapWords } from '../print/fill-lines.ts';
import { note, printResult } from '../print/output.ts';
import { createProgress, isBlockingStage } from '../print/progress.ts';
import { shellQuote } from '../print/shell-quote.ts';
import { joinLines, type Text } from '../print/styled-text.ts';
import { addSettings, readSettings } from '../settings/setting-flags.ts';

interface UpdateFlags {
  readonly from: string;
  readonly set?: string;
  readonly country?: string;
  readonly alternateNames?: boolean;
  readonly out?: string;
  readonly cache?: string;
  readonly json?: boolean;
}

export function addUpdateCommand(program: Command): void {
  const command = program.command('update').description('download the latest places and build an index from them');
  command
    .option('--from <format>', 'data source: geonames', 'geonames')
    .option('--set <name>', `set of places: ${GEONAMES_SETS.join(', ')} (default: cities500)`)
    .option('--country <code>', 'all places of one country, instead of a set')
    .option('--alternate-names', 'include alternate names, such as names in other languages')
    .option('--out <file>', 'index file to write (default: index/<set>.toponym in the state folder)')
    .option('--cache <folder>', 'folder for downloaded files (default: cache/geonames in the state folder)');
  addSettings(command, ['sourceUrl', 'state'])
    .option('--json', 'print the report as JSON')
    .action((flags: UpdateFlags) => update(flags));
  addExamples(command, [
    'toponym update',
    'toponym update --set allCountries --alternate-names --out world.toponym',
    'toponym update --country FR',
  ]);
}

async function update(flags: UpdateFlags): Promise<void> {
  requireOneOf('--from', flags.from, ['geonames']);
  if (flags.set !== undefined) requireOneOf('--set', flags.set, GEONAMES_SETS);
  const plan = planGeonames(flags);
  const settings = readSettings(flags);
  const state = openStateFolder(settings.state);
  const out = resolve(flags.out ?? join(openIndexFolder(state), `${plan.name}.toponym`));
  const progress = createProgress(`Updating ${basename(out)}`);
  const result = await updateGeonames(plan, {
    sourceUrl: new URL(settings.sourceUrl),
    cache: resolve(flags.cache ?? join(state.path, 'cache', 'geonames')),
    out,
    onBuildProgress: (step) => progress.show({ ...step, isBlocking: isBlockingStage(step.stage) }),
    onDownloadProgress: (file, download) => progress.show(downloadStage(`downloading ${file}`, download)),
    onRetry(file, reason, delayMs) {
      progress.end();
      note(`${file}: ${reason}; retrying in ${Math.ceil(delayMs / 1000)} s`);
    },
  }).finally(() => progress.end());
  printReport(flags.json, out, result);
}

function printReport(isJson: boolean | undefined, out: string, { downloads, built }: UpdateResult): void {
  const files = downloads.map(({ url, bytes, sha256, outcome }) => ({
    url: publicUrl(new URL(url)),
    bytes,
    sha256,
    outcome,
  }));
  const status = built === undefined ? 'unchanged' : 'built';
  printResult(isJson, { out, status, ...(built && presentBuilt(built)), files }, () => {
    if (built === undefined) return `${out} is up to date: the server has nothing newer.`;
    const reload =
      'A service that serves this file reloads it automatically (--watch-seconds), or at once on SIGHUP: kill -HUP PID';
    return joinLines([
      ...formatBuilt(out, built),
      '',
      ...wrapWords(reload, terminalWidth()),
      `To serve it: npx toponym serve --index ${shellQuote(out)}`,
    ]);
  });
}

function presentBuilt({ dataVersion: version, source, places, names, bytes }: BuiltIndex) {
  const { rowsRead, rowsKept, rejected } = source;
  return { version, places, names, bytes, rowsRead, rowsKept, rejected: Object.fromEntries(rejected) };
}

function formatBuilt(out: string, { dataVersion, source, places, names, bytes }: BuiltIndex): Text[] {
  const rejected = Array.from(source.rejected, ([reason, { count }]) => `${formatCount(count)}: ${reason}`);
  const facts: Fact[] = [
    ['Wrote', `${out} (${formatMegabytes(bytes)})`],
    ['Data', dataVersion],
    ['Places', formatCount(places)],
    ['Names', formatCount(names)],
    ...rejected.map((text): Fact => ['Rejected', text]),
  ];
  return formatFacts(facts, { nameWidth: 10 });
}
