/** `toponym update`: downloads the latest places and builds an index, unless it is up to date. */

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { formatData } from 'toponym-engine/index-file/data-age';
import { PlainError } from 'toponym-files/errors/errors';
import { commandName } from 'toponym-files/program';
import { GEONAMES_SETS, type GeonamesPlan, planGeonames } from 'toponym-gazetteer/datasets/geonames-plan';
import {
  type BuiltIndex,
  previousChoice,
  type UpdateResult,
  updateGeonames,
} from 'toponym-gazetteer/datasets/geonames-update';
import { isIndexUrl, updatedIndexPath } from 'toponym-gazetteer/datasets/index-choice';
import { indexPaths } from 'toponym-gazetteer/datasets/load-index';
import { DownloadError } from 'toponym-gazetteer/fetch/download';
import { TransferFault } from 'toponym-gazetteer/fetch/get-request';
import { publicUrl } from 'toponym-gazetteer/fetch/urls';
import { SourceError } from 'toponym-gazetteer/sources/report';
import { openIndexFolder, openStateFolder } from 'toponym-server/serve/state-folder';
import { addChoices, addExamples } from '../help.ts';
import { type Fact, formatCount, formatFacts, formatMegabytes, shellQuote } from '../print/facts.ts';
import { note, printResult } from '../print/output.ts';
import { createProgress, downloadStage } from '../print/progress.ts';
import { joinLines, type Text } from '../print/styled-text.ts';
import { terminalWidth, wrapWords } from '../print/text-width.ts';
import { addSettings, readSettings, requireOneOf } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';

interface UpdateFlags {
  readonly from: string;
  readonly set?: string;
  readonly country?: string;
  readonly alternateNames?: boolean;
  readonly out?: string;
  readonly cache?: string;
  readonly json?: boolean;
}

/** About the number of the embedded places, which a service serves before the first update. */
const EMBEDDED_PLACES = 230_000;

export function addUpdateCommand(command: Command): void {
  command
    .option('--from <format>', 'data source: geonames', 'geonames')
    .option(
      '--set <name>',
      `set of places: ${GEONAMES_SETS.join(', ')} (default: that of the last update, or cities500)`,
    )
    .option('--country <code>', 'all places of one country, instead of a set')
    .option('--alternate-names', 'include alternate names, such as names in other languages')
    .option('--out <file>', 'index file to write (default: the index of the state folder, which `serve` uses)')
    .option('--cache <folder>', 'folder for downloaded files (default: cache/geonames in the state folder)');
  addSettings(command, ['sourceUrl', 'state'])
    .option('--json', 'print the report as JSON')
    .action((flags: UpdateFlags) => update(flags));
  addChoices(command, 'from', ['geonames']);
  addChoices(command, 'set', GEONAMES_SETS);
  addExamples(command, [
    'toponym update',
    'toponym update --set allCountries --alternate-names',
    'toponym update --country FR --out fr.toponym',
  ]);
}

async function update(flags: UpdateFlags): Promise<void> {
  requireOneOf('--from', flags.from, ['geonames']);
  if (flags.set !== undefined) requireOneOf('--set', flags.set, GEONAMES_SETS);
  planGeonames(flags); // refuses wrong flags before anything is created
  const settings = readSettings(flags);
  const state = openStateFolder(settings.state);
  const out = resolve(flags.out ?? updatedIndexPath(openIndexFolder(state)));
  const { set, country, alternateNames } = flags;
  const hasChoice = set !== undefined || country !== undefined || alternateNames !== undefined;
  const plan = planGeonames(hasChoice ? flags : (previousChoice(out) ?? flags)); // otherwise that of the last update
  const progress = createProgress(`Updating ${basename(out)}`);
  const result = await updateGeonames(plan, {
    sourceUrl: new URL(settings.sourceUrl),
    cache: resolve(flags.cache ?? join(state.path, 'cache', 'geonames')),
    out,
    // a service serves the embedded data before the first update; later ones do without its packages
    ...(flags.out === undefined &&
      !existsSync(out) && { replaced: indexPaths({ kind: 'embedded' }, state.indexFolder).find(existsSync) }),
    onBuildProgress: progress.show,
    onDownloadProgress: (file, download) => progress.show(downloadStage(`downloading ${file}`, download)),
    onRetry(file, reason, delayMs) {
      progress.end();
      note(`${file}: ${reason}; retrying in ${Math.ceil(delayMs / 1000)} s`);
    },
  })
    .catch((error: unknown) => {
      if (!(error instanceof DownloadError || error instanceof SourceError)) throw error;
      throw new PlainError(`${error.message}\n${adviceAfter(error, plan, out)}`, { cause: error });
    })
    .finally(() => progress.end());
  const namedNextSteps = [
    'A service that serves this file reloads it automatically (--watch-seconds), or at once on SIGHUP: kill -HUP PID',
    `To serve it: ${commandName()} serve --index ${shellQuote(out)}`,
  ];
  const nextSteps = flags.out === undefined ? defaultNextSteps(settings, result) : namedNextSteps;
  printReport(flags.json, out, result, nextSteps);
}

/** Says that nothing has changed, and how to do without the server if it caused the error. */
function adviceAfter(error: DownloadError | SourceError, { files }: GeonamesPlan, out: string): string {
  const fault = error.cause instanceof TransferFault ? error.cause : undefined;
  const isUnreached = fault !== undefined && (fault.isTransient || fault.cause !== undefined);
  // the disk is too small or the file too large: a copy of the file changes neither
  const isTooLarge = fault?.dropsPart === true;
  const names = files.map(({ relativePath }) => relativePath);
  return [
    `The data in use stays as it is${existsSync(out) ? `; ${out} has not been changed` : ''}.`,
    ...(isUnreached ? [`Behind a proxy: HTTPS_PROXY=http://HOST:PORT ${commandName()} update`] : []),
    ...(isTooLarge
      ? []
      : [
          `From a copy of the files on another server: ${commandName()} update --source-url https://HOST/FOLDER/`,
          'From files that you bring to this machine:',
          `  ${commandName()} build --from geonames ${names.join(' ')} --out world.toponym`,
          `  ${commandName()} serve --index world.toponym`,
        ]),
  ].join('\n');
}

/** `nextSteps`: what happens with the new index, as lines. */
function printReport(
  isJson: boolean | undefined,
  out: string,
  result: UpdateResult,
  nextSteps: readonly string[],
): void {
  const { downloads, built } = result;
  const files = downloads.map(({ url, bytes, sha256, outcome }) => ({
    url: publicUrl(new URL(url)),
    bytes,
    sha256,
    outcome,
  }));
  const status = built === undefined ? 'unchanged' : 'built';
  printResult(isJson, { out, status, ...(built && presentBuilt(built)), files }, () => {
    const steps = nextSteps.flatMap((step) => wrapWords(step, terminalWidth()));
    if (built === undefined) return joinLines([`${out} is up to date: the server has nothing newer.`, ...steps]);
    return joinLines([...formatBuilt(out, built), '', ...steps]);
  });
}

/** For the index of the state folder. */
function defaultNextSteps({ index, state }: Settings, { built }: UpdateResult): string[] {
  if (index !== undefined) {
    const named = isIndexUrl(index) ? publicUrl(new URL(index)) : index;
    return [
      `But the setting "index" (TOPONYM_INDEX or toponym.json) is ${named}: "serve" and "query" use that one.`,
      'To use the new index, remove the setting and restart the service.',
    ];
  }
  const isShrunken = built !== undefined && built.places < (built.previousPlaces ?? EMBEDDED_PLACES) / 2;
  return isShrunken
    ? [
        `The next start of a service of ${resolve(state)} serves it.`,
        'A running service keeps its data until a restart, because the new index has less than half as many places.',
      ]
    : [`A running service of ${resolve(state)} serves it within seconds; the next start serves it.`];
}

function presentBuilt({ dataVersion: version, source, places, names, bytes }: BuiltIndex) {
  const { rowsRead, rowsKept, rejected } = source;
  return { version, places, names, bytes, rowsRead, rowsKept, rejected: Object.fromEntries(rejected) };
}

function formatBuilt(out: string, { dataVersion, source, places, names, bytes }: BuiltIndex): Text[] {
  const rejected = Array.from(source.rejected, ([reason, { count }]) => `${formatCount(count)}: ${reason}`);
  const facts: Fact[] = [
    ['Wrote', `${out} (${formatMegabytes(bytes)})`],
    ['Data', formatData(dataVersion, new Date())],
    ['Places', formatCount(places)],
    ['Names', formatCount(names)],
    ...rejected.map((text): Fact => ['Rejected', text]),
  ];
  return formatFacts(facts, { nameWidth: 10 });
}
