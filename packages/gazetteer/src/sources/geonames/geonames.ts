/**
 * Reads GeoNames' files as a gazetteer. Dumps are read line by line, so memory holds no places,
 * only their ids and alternate names.
 */

import { IdSet } from 'toponym-engine/collections/sets';
import { GrowingArray } from 'toponym-engine/collections/typed-array';
import {
  type Country,
  definedFields,
  type Gazetteer,
  type Place,
  type Region,
  type SourceReport,
} from 'toponym-engine/place/place';
import { readBundledRegions } from '../embedded/cities-package.ts';
import { findInputs, type InputFile } from '../input/input-files.ts';
import { readPlaces, readRows } from '../input/lines.ts';
import { type CountryRow, createCountries, extendCountries, parseCountryRow } from '../regions/countries.ts';
import { createRegions, parseRegionRow, type RegionRow } from '../regions/regions.ts';
import { countRejected, createReport, type OnProgress, SourceError } from '../report.ts';
import { AlternateNames, mergeNames, parseAlternateRow, regionAliases, regionTranslations } from './alternate-names.ts';
import { classifyGeonamesFiles } from './geonames-files.ts';
import { COLUMN, divisionKey, POPULATED_PLACE, parseGeonamesRow } from './place-row.ts';

const GEONAMES_ATTRIBUTION =
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
  const givenRegions: RegionRow[] = [];
  const addRegion = (row: RegionRow) => givenRegions.push(row);
  await readTable(files.regions, report, { parse: parseRegionRow, kind: 'division', onRow: addRegion });
  const regionRows = files.regions.length === 0 ? readBundledRegions() : givenRegions;
  const countryRows: CountryRow[] = [];
  const addCountry = (row: CountryRow) => countryRows.push(row);
  await readTable(files.countries, report, { parse: parseCountryRow, kind: 'country', onRow: addCountry });
  // only alternate names need the ids
  const dumpIds = await readDumpIds(files.alternateNames.length === 0 ? [] : files.dumps, onProgress);
  // 0 stands for an unknown id, which has no names
  const regionId = ({ key, geonameId }: RegionRow) => geonameId ?? dumpIds.divisions.get(key) ?? 0;
  const ids = new GrowingArray(Uint32Array);
  ids.pushAll(dumpIds.places);
  ids.pushAll(regionRows.map(regionId));
  ids.pushAll(countryRows.map(({ geonameId = 0 }) => geonameId));
  const alternateNames = new AlternateNames(ids.view());
  await readTable(files.alternateNames, report, {
    parse: parseAlternateRow,
    kind: 'alternate name',
    onRow: (row) => alternateNames.add(row),
    onLines: (done) => onProgress({ stage: 'reading alternate names', done }),
  });
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
  readonly alternateNames?: AlternateNames;
  readonly report?: SourceReport;
}

/** Creates the gazetteer. Its version is final once all places are read. */
export function createGeonames(parts: GeonamesParts): Gazetteer {
  const { name, dumps, regions, countries, alternateNames, report = createReport() } = parts;
  const regionKeys = new Set(regions.map((region) => region.key));
  const numbers = new IdSet();
  let newestDate = ''; // yyyy-mm-dd
  return {
    get version() {
      return `${name}-${newestDate || 'undated'}`;
    },
    attribution: [GEONAMES_ATTRIBUTION],
    countries,
    regions,
    places: readPlaces(readRows(dumps, report), report, {
      ids: { add: (id) => numbers.add(geonameIdOf(id)) },
      parse({ text }) {
        newestDate = laterDate(newestDate, text);
        const result = parseGeonamesRow(text);
        return 'reason' in result ? result : withAlternateNames(withKnownRegions(result, regionKeys), alternateNames);
      },
    }),
    report,
  };
}

function laterDate(newest: string, line: string): string {
  const date = line.slice(-10); // the last column
  return date > newest && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : newest;
}

function geonameIdOf(placeId: string): number {
  return Number(placeId.slice(1));
}

function withAlternateNames(place: Place, alternateNames: AlternateNames | undefined): Place {
  const added = alternateNames?.get(geonameIdOf(place.id)) ?? [];
  if (added.length === 0) return place;
  const wikidataIds = added.filter(({ kind }) => kind === 'wikidata').map(({ value }) => `wd:${value}`);
  const named = { ...place, names: mergeNames(place.names, added) };
  return wikidataIds.length === 0 ? named : { ...named, externalIds: wikidataIds };
}

/** Removes the keys of unknown divisions, because dumps and tables may differ in age. */
function withKnownRegions(place: Place, regionKeys: ReadonlySet<string>): Place {
  const { admin1, admin2, ...rest } = place;
  const known = (key: string | undefined) => (key !== undefined && regionKeys.has(key) ? key : undefined);
  if (known(admin1) === admin1 && known(admin2) === admin2) return place;
  return { ...rest, ...definedFields({ admin1: known(admin1), admin2: known(admin2) }) };
}

interface TableReader<Row> {
  /** Returns undefined for a row to ignore. */
  readonly parse: (line: string) => Row | 'malformed' | undefined;
  /** For reports of malformed rows: `division`. */
  readonly kind: string;
  readonly onRow: (row: Row) => void;
  readonly onLines?: (done: number) => void;
}

/** Reads a table of GeoNames. Its rows are not places, so only malformed ones are counted. */
async function readTable<Row>(
  files: readonly InputFile[],
  report: SourceReport,
  { parse, kind, onRow, onLines = () => {} }: TableReader<Row>,
): Promise<void> {
  let done = 0;
  for await (const lines of readRows(files, report)) {
    for (const { text, at } of lines) {
      const row = parse(text);
      if (row === 'malformed') countRejected(report, { reason: `bad ${kind} row`, got: text }, at);
      else if (row !== undefined) onRow(row);
    }
    done += lines.length;
    onLines(done);
  }
}

async function readDumpIds(dumps: readonly InputFile[], onProgress: OnProgress) {
  const places = new GrowingArray(Uint32Array);
  /** By key, such as `US.TX`. Only a complete dump lists divisions. */
  const divisions = new Map<string, number>();
  let done = 0;
  // a report of its own, because faults are counted when the places are read
  for await (const rows of readRows(dumps, createReport())) {
    for (const { text } of rows) {
      const columns = text.split('\t', COLUMN.admin2 + 1);
      const id = Number(columns[COLUMN.id]);
      if (!Number.isInteger(id) || id <= 0 || id > MAX_STORED_ID) continue;
      if (columns[COLUMN.featureClass] === POPULATED_PLACE) places.push(id);
      const key = divisionKey(columns);
      if (key !== undefined) divisions.set(key, id);
    }
    done += rows.length;
    onProgress({ stage: 'reading place ids', done });
  }
  return { places: places.view(), divisions };
}
