/** Reads places from the tables of a spreadsheet as a gazetteer. The headings say what the columns mean. */
import { createHash } from 'node:crypto';
import type { Gazetteer, Place } from 'toponym-engine/place/place';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { findHeading } from './input/headings.ts';
import { findInputs, type InputFile } from './input/input-files.ts';
import { type Line, readPlaces } from './input/lines.ts';
import { openTable, parseDecimal, parseRows } from './input/spreadsheet.ts';
import { PlaceIds } from './place-values.ts';
import { placeOfFields } from './read-place-line.ts';
import { createCountries, findCountryCode } from './regions/countries.ts';
import { KnownDivisions } from './regions/known-divisions.ts';
import { createReport, type Rejection, type RowPosition, SourceError } from './report.ts';

/** A row by the meanings of its columns. A text says why it cannot be read. */
interface PlaceRow {
  readonly at: RowPosition;
  readonly cells: Readonly<Record<string, string>> | string;
}

const MEANINGS = ['id', 'name', 'names', 'type', 'lat', 'lng', 'country', 'admin1', 'admin2', 'population', 'timezone'];
const SEPARATED_THOUSANDS = /^\d{1,3}([.,' \u00a0\u202f]\d{3})+$/;

/** Opens the files as one gazetteer. `regions` are final once `places` have been read. */
export async function openCsv(paths: readonly string[]): Promise<Gazetteer> {
  const files = findInputs(paths);
  const divisions = new KnownDivisions();
  const report = createReport();
  return {
    version: files.map(({ name }) => name.replace(/\.\w+$/, '')).join('+') || 'csv',
    attribution: [],
    countries: createCountries(),
    regions: divisions.regions,
    places: readPlaces(readTables(files), report, { ids: new PlaceIds(), parse: (row) => readPlace(row, divisions) }),
    report,
  };
}

async function* readTables(files: readonly InputFile[]): AsyncGenerator<readonly PlaceRow[]> {
  for (const file of files) {
    const { headings, delimiter, rows } = await openTable(file);
    const find = (meaning: string) => findHeading(headings, meaning);
    const columns = MEANINGS.map(
      (meaning) => [meaning, find(meaning) ?? (meaning === 'name' ? find('place') : undefined)] as const,
    );
    const missing = columns.filter(([meaning, at]) => at === undefined && ['name', 'lat', 'lng'].includes(meaning));
    if (missing.length > 0) {
      const names = missing.map(([meaning]) => meaning).join(', ');
      throw new SourceError(`${file.label}: has no column ${names}; its headings are ${headings.join(', ')}`);
    }
    const toRow = (cells: readonly string[] | string, { number: line }: Line): PlaceRow => {
      const at = { file: file.label, line };
      if (typeof cells === 'string') return { at, cells };
      const filled = columns.flatMap(([meaning, column]) => {
        const cell = column === undefined ? '' : cells[column]!.trim();
        return cell === '' ? [] : [[meaning, cell]];
      });
      return { at, cells: Object.fromEntries(filled) };
    };
    const shape = { delimiter, cells: headings.length };
    for await (const chunk of rows) yield parseRows(chunk, shape).map((cells, i) => toRow(cells, chunk[i]!));
  }
}

function readPlace({ cells }: PlaceRow, divisions: KnownDivisions): Place | Rejection {
  if (typeof cells === 'string') return { reason: 'bad row', got: cells };
  const { id, names, type, lat: latCell = '', lng: lngCell = '', country, population, ...texts } = cells;
  const code = country === undefined ? undefined : findCountryCode(country);
  if (country !== undefined && code === undefined) {
    return { reason: 'unknown country', got: `${JSON.stringify(country)}: expected a code such as FR, or a name` };
  }
  const [lat, lng] = [latCell, lngCell].map((cell) => parseDecimal(cell) ?? cell);
  const isPoint = typeof lat === 'number' && typeof lng === 'number';
  const digits = population?.replace(SEPARATED_THOUSANDS, (grouped) => grouped.replaceAll(/\D/g, ''));
  const fields = {
    id: id === undefined ? newId(cells) : id.replace(/^(?=[1-9]\d*$)/, 'L'),
    ...texts,
    lat,
    lng,
    country: code ?? (isPoint && loadWorldBorders().countryAt(lat, lng)),
    ...(names && { names: { und: names.split(/\s*[;|,]\s*/).filter(Boolean) } }),
    ...(type && { type: type.toLowerCase() }),
    ...(digits && { population: parseDecimal(digits) ?? digits }),
  };
  const place = placeOfFields(fields, divisions);
  const isAtSea = country === undefined && 'reason' in place && place.reason === 'bad country';
  return isAtSea ? { ...place, got: `the point ${lat}, ${lng} is in no country; add a column country` } : place;
}

/** The same for the same name and point in every build. */
function newId({ name = '', lat, lng }: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256').update(`${name}\n${lat}\n${lng}`).digest('hex');
  return `L${1 + Number.parseInt(hash.slice(0, 11), 16)}`;
}
