/**
 * Reads files in Toponym's NDJSON format (see schema.ts) as a gazetteer, line by line. The regions
 * are final once the places have been read.
 */
import type { Gazetteer, SourceReport } from '../../place/gazetteer.ts';
import type { Place, Region } from '../../place/place.ts';
import { findInputs, type InputFile } from '../input/input-files.ts';
import { type Line, readLines } from '../input/lines.ts';
import { PlaceIds } from '../place-ids.ts';
import { readBundledRegions } from '../regions/bundled-regions.ts';
import { createCountries } from '../regions/countries.ts';
import { createRegion, createRegions, namedDivisionKey } from '../regions/regions.ts';
import { countKept, countRejected, createReport } from '../report.ts';
import { createPlace, type DivisionKeys, parseNdjsonRow } from './row.ts';
import type { DatasetLine, PlaceLine, RegionLine } from './schema.ts';

/** The version joins the versions of the files: from their `dataset` lines, or else their names. */
export async function openNdjson(paths: readonly string[]): Promise<Gazetteer> {
  const files = findInputs(paths);
  const datasets = await Promise.all(files.map(readDataset));
  const countries = createCountries();
  const divisions = new NamedDivisions();
  const report = createReport();
  const countryCodes = new Set(countries.map(({ code }) => code));
  const versions = files.map((file, i) => datasets[i]?.version ?? file.name.replace(/\.\w+$/, ''));
  return {
    version: versions.join('+') || 'ndjson',
    attribution: [...new Set(datasets.flatMap((dataset) => dataset?.attribution ?? []))],
    countries,
    regions: divisions.regions,
    places: readPlaces(files, { divisions, report, countryCodes }),
    report,
  };
}

interface ReadContext {
  readonly divisions: NamedDivisions;
  readonly report: SourceReport;
  readonly countryCodes: ReadonlySet<string>;
}

async function* readPlaces(files: readonly InputFile[], context: ReadContext): AsyncGenerator<Place> {
  const { report } = context;
  const ids = new PlaceIds();
  for (const file of files) {
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        if (line.fault === undefined && line.text.trim() === '') continue;
        const row = line.fault === undefined ? readRow(line, context) : { reason: line.fault, got: line.text };
        const at = { file: file.label, line: line.number };
        if (row === undefined) continue;
        if ('reason' in row) countRejected(report, row.reason, row.got, at);
        else if (!ids.add(row.id)) countRejected(report, 'duplicate id', row.id, at);
        else {
          countKept(report);
          yield row;
        }
      }
    }
  }
}

interface Rejection {
  readonly reason: string;
  readonly got: string;
}

/** Undefined for a valid line that is not a place. */
function readRow({ text, number }: Line, { divisions, countryCodes }: ReadContext): Place | Rejection | undefined {
  const row = parseNdjsonRow(text);
  if (row.kind === 'rejected') return row;
  if (row.kind === 'dataset') return number === 1 ? undefined : { reason: 'dataset line is not the first', got: text };
  if (row.kind === 'region') {
    divisions.add(row.region);
    return undefined;
  }
  if (!countryCodes.has(row.place.country)) return { reason: 'unknown country', got: row.place.country };
  const keys = divisions.findKeys(row.place);
  return typeof keys === 'string' ? { reason: 'unknown division', got: keys } : createPlace(row.place, keys);
}

async function readDataset(file: InputFile): Promise<DatasetLine['dataset'] | undefined> {
  for await (const [first] of readLines(file)) {
    const row = first === undefined ? undefined : parseNdjsonRow(first.text);
    return row?.kind === 'dataset' ? row.dataset : undefined;
  }
  return undefined;
}

/** Divisions of places, identified by the key of a region line, a GeoNames key or a name. */
class NamedDivisions {
  readonly regions: Region[] = [];
  readonly #known = new Set<string>();
  #bundled: ReadonlyMap<string, Region> | undefined;

  add({ key, name, aliases }: RegionLine['region']): void {
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.regions.push(createRegion(key, name, aliases));
  }

  /** Returns the keys of the place's divisions, or an error message. */
  findKeys({ country, admin1, admin2 }: PlaceLine): DivisionKeys | string {
    if (admin1 === undefined) return admin2 === undefined ? {} : `admin2 ${JSON.stringify(admin2)} without an admin1`;
    const first = this.#findKey(admin1, country);
    if (first === undefined) return `admin1 ${JSON.stringify(admin1)}: no earlier region line has this key`;
    if (admin2 === undefined) return { admin1: first };
    const second = this.#findKey(admin2, first);
    if (second === undefined) return `admin2 ${JSON.stringify(admin2)}: no earlier region line has this key`;
    return { admin1: first, admin2: second };
  }

  /** A text that starts with the key of `parent` must be a key; any other text is a name. */
  #findKey(text: string, parent: string): string | undefined {
    if (text.startsWith(`${parent}.`)) return this.#known.has(text) || this.#addBundled(text) ? text : undefined;
    const name = text.trim();
    const key = namedDivisionKey(parent, name);
    this.add({ key, name });
    return key;
  }

  #addBundled(key: string): boolean {
    this.#bundled ??= new Map(createRegions(readBundledRegions()).map((region) => [region.key, region]));
    const region = this.#bundled.get(key);
    if (region === undefined) return false;
    this.#known.add(key);
    this.regions.push(region);
    return true;
  }
}
