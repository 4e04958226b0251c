/**
 * Reads GeoNames' files as a gazetteer: dumps of places (allCountries, cities500, …) and tables of
 * divisions, countries and alternate names. Dumps are read line by line, so memory holds no places,
 * only their ids and their alternate names.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { IdSet } from '../../collections/id-set.ts';
import type { Country, Gazetteer, SourceReport } from '../../place/gazetteer.ts';
import type { Place, Region } from '../../place/place.ts';
import { findInputs, type InputFile } from '../input/input-files.ts';
import { type Line, readLines } from '../input/lines.ts';
import { readBundledRegions } from '../regions/bundled-regions.ts';
import { createCountries } from '../regions/countries.ts';
import { createRegions, parseRegionRow } from '../regions/regions.ts';
import { countKept, countRejected, createReport, type OnProgress, type RowPosition } from '../report.ts';
import { SourceError } from '../source-error.ts';
import { AlternateNames } from './alternate-names.ts';
import { type AlternateName, parseAlternateRow } from './alternate-row.ts';
import { extendCountries, parseCountryRow } from './country-info.ts';
import { classifyGeonamesFiles, type GeonamesFiles } from './file-kinds.ts';
import { mergeNames } from './merge-names.ts';
import { COLUMN, POPULATED_PLACE, parseGeonamesRow } from './place-row.ts';

export const GEONAMES_ATTRIBUTION =
  'GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)';

/**
 * Opens files, folders and archives as one gazetteer. Files are recognised by name (file-kinds.ts).
 * Throws a SourceError if none is a dump.
 */
export async function openGeonames(paths: readonly string[], onProgress: OnProgress = () => {}): Promise<Gazetteer> {
  const files = classifyGeonamesFiles(findInputs(paths), new Set(paths));
  const [firstDump] = files.dumps;
  if (firstDump === undefined) {
    const got = JSON.stringify(paths);
    throw new SourceError(`no GeoNames dump in ${got}: give at least one, such as allCountries.txt or cities500.zip`);
  }
  const report = createReport();
  const regionRows = await readRows(files.regions, { report, parse: parseRegionRow, reason: 'bad division row' });
  const countryRows = await readRows(files.countries, { report, parse: parseCountryRow, reason: 'bad country row' });
  const divisionAndCountryIds = [...regionRows, ...countryRows].flatMap(({ geonameId }) => geonameId ?? []);
  const alternateNames =
    files.alternateNames.length === 0
      ? undefined
      : await readAlternateNames(files, { divisionAndCountryIds, report, onProgress });
  const namesById = (id: number) => regionAliases(alternateNames?.get(id) ?? []);
  return createGeonames({
    name: `geonames-${firstDump.name.replace(/\.\w+$/, '')}`,
    dumps: files.dumps,
    regions: createRegions(files.regions.length === 0 ? readBundledRegions() : regionRows, namesById),
    countries: extendCountries(createCountries(), countryRows, namesById),
    report,
    alternateNames,
  });
}

interface GeonamesParts {
  /** The version is this name, a hyphen and the newest modification date in the dumps. */
  readonly name: string;
  readonly dumps: readonly InputFile[];
  readonly regions: readonly Region[];
  readonly countries: readonly Country[];
  readonly alternateNames?: AlternateNames | undefined;
  readonly report?: SourceReport;
}

/** Creates the gazetteer. Its version is final once all places are read. */
export function createGeonames(parts: GeonamesParts): Gazetteer {
  const state: ReadState = { report: parts.report ?? createReport(), newestDate: '' };
  return {
    get version() {
      return `${parts.name}-${state.newestDate || 'undated'}`;
    },
    attribution: [GEONAMES_ATTRIBUTION],
    countries: parts.countries,
    regions: parts.regions,
    places: readPlaces(parts, state),
    report: state.report,
  };
}

interface ReadState {
  readonly report: SourceReport;
  /** The newest modification date so far, as `yyyy-mm-dd`. */
  newestDate: string;
}

async function* readPlaces(parts: GeonamesParts, state: ReadState): AsyncGenerator<Place> {
  const { report } = state;
  const regionKeys = new Set(parts.regions.map((region) => region.key));
  const ids = new IdSet();
  for (const file of parts.dumps) {
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        const at = { file: file.label, line: line.number };
        if (skipLine(line, at, report)) continue;
        state.newestDate = laterDate(state.newestDate, line.text);
        const result = parseGeonamesRow(line.text);
        if ('reason' in result) countRejected(report, result, at);
        else if (!ids.add(geonameIdOf(result))) countRejected(report, { reason: 'duplicate id', got: result.id }, at);
        else {
          countKept(report);
          yield withAlternateNames(withKnownRegions(result, regionKeys), parts.alternateNames);
        }
      }
    }
  }
}

/** Whether the line is faulty or empty. Counts a faulty line as rejected. */
function skipLine({ fault, text }: Line, at: RowPosition, report: SourceReport): boolean {
  if (fault !== undefined) countRejected(report, { reason: fault, got: text }, at);
  return fault !== undefined || text === '';
}

/** Returns the later of `newest` and the date in the last column of the line. */
function laterDate(newest: string, line: string): string {
  const date = line.slice(-10);
  return date > newest && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : newest;
}

/** The number in the place's id: 2988507 in `G2988507`. */
function geonameIdOf(place: Place): number {
  return Number(place.id.slice(1));
}

/** Adds the alternate names and the Wikidata ids of the place. */
function withAlternateNames(place: Place, alternateNames: AlternateNames | undefined): Place {
  const added = alternateNames?.get(geonameIdOf(place)) ?? [];
  if (added.length === 0) return place;
  const wikidataIds = added.filter(({ kind }) => kind === 'wikidata').map(({ value }) => `wd:${value}`);
  const named = { ...place, names: mergeNames(place.names, added) };
  return wikidataIds.length === 0 ? named : { ...named, externalIds: wikidataIds };
}

/** Removes the keys of unknown divisions: the dump and the table of divisions may differ in age. */
function withKnownRegions(place: Place, regionKeys: ReadonlySet<string>): Place {
  const { admin1, admin2 } = place;
  const isKnown1 = admin1 === undefined || regionKeys.has(admin1);
  const isKnown2 = admin2 === undefined || regionKeys.has(admin2);
  if (isKnown1 && isKnown2) return place;
  const { admin1: _admin1, admin2: _admin2, ...rest } = place;
  return {
    ...rest,
    ...(isKnown1 && admin1 !== undefined ? { admin1 } : {}),
    ...(isKnown2 && admin2 !== undefined ? { admin2 } : {}),
  };
}

/**
 * Reads a small table. Lines for which `parse` returns undefined are counted as rejected for the
 * given reason; valid rows are not counted, because they are not places.
 */
async function readRows<Row>(
  files: readonly InputFile[],
  { report, parse, reason }: { report: SourceReport; parse: (line: string) => Row | undefined; reason: string },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of files) {
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        const at = { file: file.label, line: line.number };
        const isComment = line.text.startsWith('#'); // countryInfo.txt begins with comments
        if (skipLine(line, at, report) || isComment) continue;
        const row = parse(line.text);
        if (row === undefined) countRejected(report, { reason, got: line.text }, at);
        else rows.push(row);
      }
    }
  }
  return rows;
}

/** Reads the ids of the places, then the names of the places, divisions and countries. */
async function readAlternateNames(
  files: GeonamesFiles,
  {
    divisionAndCountryIds,
    report,
    onProgress,
  }: { divisionAndCountryIds: number[]; report: SourceReport; onProgress: OnProgress },
): Promise<AlternateNames> {
  const ids = new GrowingArray(Uint32Array);
  ids.pushAll(divisionAndCountryIds);
  let done = 0;
  for (const file of files.dumps) {
    for await (const lines of readLines(file)) {
      for (const { text } of lines) collectPlaceIdInto(ids, text);
      done += lines.length;
      onProgress({ stage: 'reading place ids', done });
    }
  }
  const names = new AlternateNames(ids.view());
  done = 0;
  for (const file of files.alternateNames) {
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        const at = { file: file.label, line: line.number };
        if (skipLine(line, at, report)) continue;
        const row = parseAlternateRow(line.text);
        if (row === 'malformed') countRejected(report, { reason: 'bad alternate name row', got: line.text }, at);
        else if (row !== undefined) names.add(row);
      }
      done += lines.length;
      onProgress({ stage: 'reading alternate names', done });
    }
  }
  return names;
}

/** Adds the id if the line is a populated place and the id has at most 32 bits, as in `ids`. */
function collectPlaceIdInto(ids: GrowingArray<Uint32Array>, line: string): void {
  const columns = line.split('\t', COLUMN.featureClass + 1);
  const id = Number(columns[COLUMN.id]);
  if (columns[COLUMN.featureClass] === POPULATED_PLACE && Number.isInteger(id) && id > 0 && id <= 0xffff_ffff)
    ids.push(id);
}

/** Aliases of a division or country: `alternate` names. Codes and historic names are ambiguous. */
function regionAliases(names: readonly AlternateName[]): string[] {
  return names.filter(({ kind }) => kind === 'alternate').map(({ value }) => value);
}
