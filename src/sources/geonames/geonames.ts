/**
 * Reads GeoNames' files as a gazetteer. Dumps are read line by line, so memory holds no places,
 * only their ids and alternate names.
 */

import { IdSet } from '../../collections/sets.ts';
import { GrowingArray } from '../../collections/typed-array.ts';
import type { Country, Gazetteer, SourceReport } from '../../place/gazetteer.ts';
import type { Place, Region } from '../../place/place.ts';
import { findInputs, type InputFile } from '../input/input-files.ts';
import { type Line, readLines } from '../input/lines.ts';
import { createCountries, extendCountries, parseCountryRow } from '../regions/countries.ts';
import { createRegions, parseRegionRow, type RegionRow, readBundledRegions } from '../regions/regions.ts';
import { countKept, countRejected, createReport, type OnProgress, type RowPosition, SourceError } from '../report.ts';
import { AlternateNames, mergeNames, parseAlternateRow, regionAliases, regionTranslations } from './alternate-names.ts';
import { classifyGeonamesFiles } from './file-kinds.ts';
import { COLUMN, divisionKey, POPULATED_PLACE, parseGeonamesRow } from './place-row.ts';

export const GEONAMES_ATTRIBUTION =
  'GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)';

/** AlternateNames stores ids in 32 bits. */
const MAX_STORED_ID = 0xffff_ffff;

/** Opens files, folders and archives as one gazetteer. Throws a SourceError if none is a dump. */
export async function openGeonames(paths: readonly string[], onProgress: OnProgress = () => {}): Promise<Gazetteer> {
  const files = classifyGeonamesFiles(findInputs(paths), new Set(paths));
  const [firstDump] = files.dumps;
  if (firstDump === undefined) {
    const advice = 'give at least one, such as allCountries.txt or cities500.zip';
    throw new SourceError(`${paths.join(', ')}: no GeoNames dump; ${advice}`);
  }
  const report = createReport();
  const givenRows = await readRows(files.regions, { report, parse: parseRegionRow, reason: 'bad division row' });
  const regionRows = files.regions.length === 0 ? readBundledRegions() : givenRows;
  const countryRows = await readRows(files.countries, { report, parse: parseCountryRow, reason: 'bad country row' });
  const dumpIds = files.alternateNames.length === 0 ? NO_IDS : await readDumpIds(files.dumps, onProgress);
  // 0 stands for an unknown id, which has no names
  const regionId = ({ key, geonameId }: RegionRow) => geonameId ?? dumpIds.divisions.get(key) ?? 0;
  const ids = new GrowingArray(Uint32Array);
  ids.pushAll(dumpIds.places);
  ids.pushAll(regionRows.map(regionId));
  ids.pushAll(countryRows.map(({ geonameId = 0 }) => geonameId));
  const alternateNames = new AlternateNames(ids.view());
  await readNamesInto(alternateNames, files.alternateNames, { report, onProgress });
  return createGeonames({
    name: `geonames-${firstDump.name.replace(/\.\w+$/, '')}`,
    dumps: files.dumps,
    regions: createRegions(regionRows, (row) => {
      const names = alternateNames.get(regionId(row));
      return { aliases: regionAliases(names), translations: regionTranslations(names, row.name) };
    }),
    countries: extendCountries(createCountries(), countryRows, (id) => regionAliases(alternateNames.get(id))),
    report,
    alternateNames,
  });
}

interface GeonamesParts {
  /** Start of `Gazetteer.version`, before the newest date in the dumps. */
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
  /** `yyyy-mm-dd`, or empty. */
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

/** Skips empty and faulty lines, and counts faulty ones as rejected. */
function skipLine({ fault, text }: Line, at: RowPosition, report: SourceReport): boolean {
  if (fault !== undefined) countRejected(report, { reason: fault, got: text }, at);
  return fault !== undefined || text === '';
}

function laterDate(newest: string, line: string): string {
  const date = line.slice(-10); // the last column
  return date > newest && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : newest;
}

function geonameIdOf(place: Place): number {
  return Number(place.id.slice(1));
}

function withAlternateNames(place: Place, alternateNames: AlternateNames | undefined): Place {
  const added = alternateNames?.get(geonameIdOf(place)) ?? [];
  if (added.length === 0) return place;
  const wikidataIds = added.filter(({ kind }) => kind === 'wikidata').map(({ value }) => `wd:${value}`);
  const named = { ...place, names: mergeNames(place.names, added) };
  return wikidataIds.length === 0 ? named : { ...named, externalIds: wikidataIds };
}

/** Removes the keys of unknown divisions, because dumps and tables may differ in age. */
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
 * Reads rows, and counts malformed lines as rejected. Valid rows are not places, so not counted.
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

interface DumpIds {
  readonly places: Uint32Array;
  /** By key, such as `US.TX`. Only a complete dump lists divisions. */
  readonly divisions: ReadonlyMap<string, number>;
}

const NO_IDS: DumpIds = { places: new Uint32Array(), divisions: new Map() };

async function readDumpIds(dumps: readonly InputFile[], onProgress: OnProgress): Promise<DumpIds> {
  const places = new GrowingArray(Uint32Array);
  const divisions = new Map<string, number>();
  let done = 0;
  for (const file of dumps) {
    for await (const lines of readLines(file)) {
      for (const { text } of lines) {
        const columns = text.split('\t', COLUMN.admin2 + 1);
        const id = Number(columns[COLUMN.id]);
        if (!Number.isInteger(id) || id <= 0 || id > MAX_STORED_ID) continue;
        if (columns[COLUMN.featureClass] === POPULATED_PLACE) places.push(id);
        const key = divisionKey(columns);
        if (key !== undefined) divisions.set(key, id);
      }
      done += lines.length;
      onProgress({ stage: 'reading place ids', done });
    }
  }
  return { places: places.view(), divisions };
}

async function readNamesInto(
  names: AlternateNames,
  files: readonly InputFile[],
  { report, onProgress }: { report: SourceReport; onProgress: OnProgress },
): Promise<void> {
  let done = 0;
  for (const file of files) {
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
}
