/** `toponym export`: writes the places of an index as NDJSON, which `toponym build` reads. */

import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Index } from 'toponym-engine/index-file/layout';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { PLACE_TYPES, type PlaceType } from 'toponym-engine/place/place';
import { replaceFileInTurns } from 'toponym-files/replace-file';
import { openPlaces } from 'toponym-gazetteer/build/read-places';
import { checkOutputFile, writeOutputFile } from 'toponym-gazetteer/datasets/check-output';
import { chooseIndex } from 'toponym-gazetteer/datasets/index-choice';
import { indexPaths, loadIndex } from 'toponym-gazetteer/datasets/load-index';
import { parseCountryCode } from 'toponym-gazetteer/sources/regions/countries';
import { formatDatasetLine, formatPlaceLine, formatRegionLine } from 'toponym-gazetteer/sources/write-place-line';
import { stateFolderAt } from 'toponym-server/serve/state-folder';
import { addChoices, addExamples } from '../help.ts';
import { formatCount, formatMegabytes } from '../print/facts.ts';
import { NotFoundError, note, printResult, requireOpenOutput } from '../print/output.ts';
import { createProgress, withIndexingProgress } from '../print/progress.ts';
import { addSettings, readSettings, requireOneOf } from '../settings/read-settings.ts';

interface ExportFlags {
  readonly out: string;
  readonly country?: string;
  readonly type?: string;
  readonly json?: boolean;
}

interface ExportCounts {
  places: number;
  regions: number;
  bytes: number;
  /** Places left out because the format requires a country. */
  readonly withoutCountry: number;
}

/** Size of a write, to save system calls. */
const BATCH_CHARS = 1 << 16;
const PLACES_PER_PROGRESS_REPORT = 1_000;

export function addExportCommand(command: Command): void {
  addSettings(command, ['index', 'state'])
    .option('--out <file>', 'file to write; an existing file is replaced atomically; "-" is standard output', '-')
    .option('--country <codes>', 'only places of these countries (comma-separated ISO codes)')
    .option('--type <types>', `only places of these types (comma-separated): ${PLACE_TYPES.join(', ')}`)
    .option('--json', 'print a report as JSON, on standard error if the places go to standard output')
    .action((flags: ExportFlags) => exportPlaces(flags));
  addChoices(command, 'type', PLACE_TYPES);
  addExamples(command, [
    'toponym export --country LI --out li.ndjson',
    'toponym export --type city,town --index world.toponym --out cities.ndjson',
  ]);
}

async function exportPlaces(flags: ExportFlags): Promise<void> {
  const settings = readSettings(flags);
  const filter = parseFilter(flags);
  const out = flags.out === '-' ? undefined : resolve(flags.out);
  const { indexFolder } = stateFolderAt(settings.state);
  const choice = chooseIndex(settings.index, indexFolder);
  if (out === undefined) requireOpenOutput();
  else checkOutputFile(out, indexPaths(choice, indexFolder));
  const index = openIndex(await withIndexingProgress((callbacks) => loadIndex(choice, indexFolder, callbacks)));
  const matching = matchingIds(index, filter);
  const ids = matching.filter((id) => countryCode(index, id) !== '');
  const withoutCountry = matching.length - ids.length;
  if (ids.length === 0) {
    const places = `places${describeFilter(filter)}${withoutCountry === 0 ? '' : ' with a known country'}`;
    throw new NotFoundError(`the index has no ${places}; nothing was written.`);
  }
  const counts: ExportCounts = { places: 0, regions: 0, bytes: 0, withoutCountry };
  const progress = createProgress('Exporting places', { isUsuallyShort: true });
  // progress would be in the way of lines that appear on the terminal
  const hasProgress = out !== undefined || !process.stdout.isTTY;
  const onPlace = () => {
    if (!hasProgress || counts.places % PLACES_PER_PROGRESS_REPORT !== 0) return;
    progress.show({ stage: '', done: counts.places, total: ids.length });
  };
  const chunks = encodeLines(exportLines(index, ids, { counts, onPlace }), counts);
  if (out === undefined) {
    const isComplete = await writeToOutput(chunks).finally(progress.end);
    if (isComplete && flags.json) note(JSON.stringify({ out: '-', ...counts }));
  } else {
    await writeOutputFile(out, () => replaceFileInTurns(out, chunks)).finally(progress.end);
    const { places, regions, bytes } = counts;
    const figures = `${formatCount(places)} places, ${formatCount(regions)} divisions`;
    printResult(flags.json, { out, ...counts }, () => `Wrote ${out} (${formatMegabytes(bytes)}): ${figures}.`);
  }
  noteOmissions(index, ids, filter, withoutCountry);
}

function noteOmissions(index: Index, ids: Uint32Array, filter: Filter, withoutCountry: number): void {
  const exported = new Set(Array.from(ids, (id) => countryCode(index, id)));
  const missing = (filter.countries ?? []).filter((code) => !exported.has(code));
  if (missing.length > 0) note(`The index has no places${describeFilter({ ...filter, countries: missing })}.`);
  if (withoutCountry > 0) note(`${formatCount(withoutCountry)} places without a known country were left out.`);
}

/** An undefined field means any. */
interface Filter {
  readonly countries: readonly string[] | undefined;
  readonly types: readonly PlaceType[] | undefined;
}

function parseFilter({ country, type }: ExportFlags): Filter {
  const countries = country?.split(',').map((code) => parseCountryCode(code));
  const types = type?.split(',').map((each) => requireOneOf('--type', each.trim(), PLACE_TYPES));
  return { countries: countries && [...new Set(countries)], types: types && [...new Set(types)] };
}

/** Formats the filter to follow "no places", such as ` of type town in LI, AT`. */
function describeFilter({ countries, types }: Filter): string {
  const ofTypes = types === undefined ? '' : ` of type ${types.join(', ')}`;
  return `${ofTypes}${countries === undefined ? '' : ` in ${countries.join(', ')}`}`;
}

/** Dense ids are the numbers of places in the index. */
function matchingIds(index: Index, { countries, types }: Filter): Uint32Array {
  const ids = Uint32Array.from({ length: index.metadata.places }, (_, id) => id);
  return ids.filter((id) => {
    const type = PLACE_TYPES[index.placeType[id]!]!;
    return (countries?.includes(countryCode(index, id)) ?? true) && (types?.includes(type) ?? true);
  });
}

/** Empty if unknown. Countries are numbered from 1. */
function countryCode(index: Index, id: number): string {
  return index.metadata.countries[index.placeCountry[id]! - 1] ?? '';
}

function* exportLines(
  index: Index,
  ids: Uint32Array,
  { counts, onPlace }: { readonly counts: ExportCounts; readonly onPlace: () => void },
): Generator<string> {
  const { regions, readPlace } = openPlaces(index);
  yield formatDatasetLine(index.metadata);
  const usedRegions = new Set<number>();
  for (const id of ids) usedRegions.add(index.placeAdmin1[id]!).add(index.placeAdmin2[id]!);
  for (const [regionId, region] of regions) {
    if (!usedRegions.has(regionId)) continue;
    counts.regions++;
    yield formatRegionLine(region);
  }
  for (const id of ids) {
    counts.places++;
    onPlace();
    yield formatPlaceLine(readPlace(id));
  }
}

function* encodeLines(lines: Iterable<string>, counts: ExportCounts): Generator<Buffer> {
  let batch = '';
  const encode = () => {
    const bytes = Buffer.from(batch);
    counts.bytes += bytes.length;
    batch = '';
    return bytes;
  };
  for (const line of lines) {
    batch += line;
    if (batch.length >= BATCH_CHARS) yield encode();
  }
  if (batch !== '') yield encode();
}

/** Returns false if the reader closed the pipe early, as `head` does. */
async function writeToOutput(chunks: Iterable<Buffer>): Promise<boolean> {
  try {
    await pipeline(Readable.from(chunks), process.stdout, { end: false });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    return false;
  }
}
