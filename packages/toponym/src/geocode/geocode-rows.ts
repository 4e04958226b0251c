/**
 * Rows of a table in, rows of the output and of the review out, as text: what a thread does. Every row is a row of
 * the output. A row that cannot be used is counted, has its reason in the column `problem`, and throws nothing.
 */
import { stringify } from 'csv-stringify/sync';
import { type Engine, type Hit, MAX_QUERY_BYTES, type SearchQuery } from 'toponym-engine/engine';
import { parseCoordinates } from 'toponym-engine/place/coordinates/coordinate-text';
import type { LatLng } from 'toponym-engine/place/sphere';
import type { Line } from 'toponym-gazetteer/sources/input/lines';
import { parseDecimal, parseObject, parseRows } from 'toponym-gazetteer/sources/input/spreadsheet';
import { findCountryCode } from 'toponym-gazetteer/sources/regions/countries';
import type { Columns } from './columns.ts';

export interface GeocodeTask {
  /** Undefined for NDJSON. */
  readonly delimiter: string | undefined;
  readonly headings: readonly string[];
  readonly columns: Columns;
  readonly isReverse: boolean;
  readonly minConfidence: number;
  readonly query: Pick<SearchQuery, 'countries' | 'language'>;
  readonly hasReview: boolean;
}

export const NO_ROWS = { rows: 0, bytes: 0, matched: 0, doubtful: 0, notFound: 0, bad: 0 };
/** `bytes` is the size of the rows in the table, approximately. */
export type Counts = typeof NO_ROWS;

export interface GeocodedRows {
  readonly output: string;
  readonly review: string;
  readonly counts: Counts;
  /** `line 7: has 3 cells instead of 4` */
  readonly badRows: readonly string[];
}

/** Small, because threads remember many. */
interface Outcome {
  readonly kind: 'matched' | 'doubtful' | 'notFound' | 'bad';
  readonly reason: string;
  /** What the output adds to the row. */
  readonly fields: readonly unknown[];
  /** Id, label and confidence or distance of each. */
  readonly candidates: readonly unknown[];
}

const TOO_LONG = `has a name or coordinates of more than ${MAX_QUERY_BYTES} bytes`;
const MAX_CANDIDATES = 3;
/** Tables repeat their places. */
const MAX_REMEMBERED = 20_000;

/** What output and review add to the headings of the table, with a prefix if the table has the same. */
export function addedHeadings({ headings, isReverse }: GeocodeTask): { output: string[]; review: string[] } {
  const free = (name: string) => freeName(name, headings);
  const measures = isReverse ? ['distance', 'inside'] : ['confidence', 'matchCode'];
  const candidates = [1, 2, 3].flatMap((i) => ['id', 'label', measures[0]].map((field) => `candidate${i}_${field}`));
  return {
    output: ['id', 'label', 'lat', 'lng', ...measures, 'candidate_id', 'candidate_label', 'problem'].map(free),
    review: ['line', 'reason', ...candidates].map(free),
  };
}

function freeName(name: string, taken: readonly string[]): string {
  const isTaken = taken.some((each) => each.toLowerCase() === name.toLowerCase());
  return isTaken ? freeName(`toponym_${name}`, taken) : name;
}

/** The headings of output and review as lines. NDJSON has none. */
export function firstLines(task: GeocodeTask): [output: string, review: string] {
  const { delimiter, headings } = task;
  if (delimiter === undefined) return ['', ''];
  const { output, review } = addedHeadings(task);
  const line = (added: readonly string[]) => `${formatLine([...headings, ...added], delimiter)}\n`;
  return [line(output), line(review)];
}

function formatLine(cells: readonly unknown[], delimiter: string): string {
  return stringify([[...cells]], { delimiter, quoted_match: /[\r\n]/, cast: { boolean: String }, eof: false });
}

/** Spreadsheets run text that begins so as a formula, unless an apostrophe precedes it. Numbers stay numbers. */
function withoutFormula(cell: unknown): unknown {
  return typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

/** Returns the function that geocodes a batch of rows. */
export function createGeocoder(engine: Engine, task: GeocodeTask): (rows: readonly Line[]) => GeocodedRows {
  const remembered = new Map<string, Outcome>();
  const find = task.isReverse ? findPoint : findPlace;
  const findOnce = (cells: readonly string[]): Outcome => {
    // coordinates take quadratic time to parse, and V8 hashes texts of over 16 KB by their length only
    if (cells.some((cell) => Buffer.byteLength(cell) > MAX_QUERY_BYTES)) return outcomeOf('bad', TOO_LONG);
    const key = JSON.stringify(cells);
    const outcome = remembered.get(key) ?? find(engine, cells, task);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, outcome);
    return outcome;
  };
  const added = addedHeadings(task);
  return (rows) => {
    const counts = { ...NO_ROWS, rows: rows.length };
    const badRows: string[] = [];
    let output = '';
    let review = '';
    for (const [i, { own, used, problem = '' }] of readRows(rows, task).entries()) {
      const { number, text, fault } = rows[i]!;
      const cut = fault === 'line too long' ? ': only its start is here' : '';
      const outcome = used === undefined ? outcomeOf('bad', `${problem}${cut}`) : findOnce(used);
      const { kind, reason, fields, candidates } = outcome;
      counts[kind]++;
      counts.bytes += Buffer.byteLength(text) + 1;
      if (kind === 'bad') badRows.push(`line ${number}: ${reason}`);
      output += withFields(own, added.output, fields, task);
      if (task.hasReview && kind !== 'matched') {
        review += withFields(own, added.review, [number, reason, ...candidates], task);
      }
    }
    return { output, review, counts, badRows };
  };
}

/** The line of a row with further fields. The text of the row stays: JSON.parse would round large numbers. */
function withFields(
  text: string,
  names: readonly string[],
  fields: readonly unknown[],
  { delimiter }: GeocodeTask,
): string {
  if (delimiter !== undefined) {
    const cells = names.map((_, i) => withoutFormula(fields[i]));
    return `${text}${delimiter}${formatLine(cells, delimiter)}\n`;
  }
  const own = Object.keys(parseObject(text)!);
  const added = Object.fromEntries(fields.map((field, i) => [freeName(names[i]!, own), field ?? null]));
  const start = text.slice(0, text.lastIndexOf('}'));
  return `${start}${own.length === 0 ? '' : ','}${JSON.stringify(added).slice(1)}\n`;
}

interface Row {
  /** The text of the row, or of one that cannot be read, a row of the table's shape with all that it has. */
  readonly own: string;
  /** The cells in the chosen columns, unless there is a problem. */
  readonly used?: readonly string[];
  readonly problem?: string;
}

function readRows(rows: readonly Line[], { delimiter, headings, columns }: GeocodeTask): Row[] {
  const fields = columns.used.map((at) => headings[at]!);
  if (delimiter === undefined) return rows.map((row) => readObject(row, fields));
  const shape = { delimiter, cells: headings.length };
  return parseRows(rows, shape).map((cells, i) => {
    const { text } = rows[i]!;
    if (typeof cells === 'string') return repairRow(text, cells, shape);
    return { own: text, used: columns.used.map((at) => cells[at]!.trim()) };
  });
}

/** A row that cannot be split is one cell. Missing cells are empty; cells after the last column go into `problem`. */
function repairRow(text: string, problem: string, shape: { delimiter: string; cells: number }): Row {
  const { delimiter, cells: count } = shape;
  const [parsed] = parseRows([{ number: 1, text }], { delimiter });
  const cells = Array.isArray(parsed) ? parsed : [text];
  const own = Array.from({ length: count }, (_, i) => cells[i]);
  const others = cells.length > count ? `; the others: ${formatLine(cells.slice(count), delimiter)}` : '';
  return { own: formatLine(own, delimiter), problem: `${problem}${others}` };
}

function readObject({ text, fault }: Line, fields: readonly string[]): Row {
  const object = parseObject(text);
  if (object === undefined) return { own: JSON.stringify({ row: text }), problem: fault ?? 'is not a JSON object' };
  const values = fields.map((field) => object[field] ?? '');
  const isText = values.every((value) => typeof value !== 'object');
  const problem = fault ?? (isText ? undefined : 'has a list or an object instead of text');
  return problem === undefined
    ? { own: text, used: values.map((value) => String(value).trim()) }
    : { own: text, problem };
}

function findPlace(engine: Engine, cells: readonly string[], { columns, minConfidence, query }: GeocodeTask): Outcome {
  // a country is right more often as a filter than as a word: "CA" may mean California
  const codes = cells.map((cell, i) =>
    columns.countries.includes(columns.used[i]!) ? findCountryCode(cell) : undefined,
  );
  const text = cells.filter((cell, i) => cell !== '' && codes[i] === undefined).join(', ');
  if (text === '') return outcomeOf('notFound', 'no place is named');
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) return outcomeOf('bad', TOO_LONG);
  if (text.includes('\0') || !text.isWellFormed()) return outcomeOf('bad', 'has characters that are not Unicode text');
  const named = codes.filter((code) => code !== undefined);
  const countries =
    named.length > 0 ? named.filter((code) => query.countries?.includes(code) ?? true) : query.countries;
  if (countries?.length === 0) return outcomeOf('notFound', `${named} is not a country of --country`);
  const { hits } = engine.search({ ...query, countries, text, limit: MAX_CANDIDATES });
  if (hits.length === 0) return outcomeOf('notFound', 'no place has such a name');
  const { confidence = 1 } = hits[0]!; // a text of coordinates has none
  if (confidence >= minConfidence) return outcomeOf('matched', '', hits);
  return outcomeOf('doubtful', `the confidence is ${confidence}, below ${minConfidence}`, hits);
}

function findPoint(engine: Engine, cells: readonly string[], { query: { countries, language } }: GeocodeTask): Outcome {
  if (cells.every((cell) => cell === '')) return outcomeOf('notFound', 'no point is given');
  const at = parsePoint(cells);
  if (typeof at === 'string') return outcomeOf('bad', at);
  const filters = { countries };
  const { hits, pointCountry } = engine.reverse({ at, limit: MAX_CANDIDATES, mode: 'containing', language, filters });
  if (pointCountry !== null && hits.length > 0) return outcomeOf('matched', '', hits, true);
  return outcomeOf('doubtful', 'the point is in no country, perhaps at sea', hits, true);
}

/** Returns what is wrong with the cells, if they are no point. */
function parsePoint(cells: readonly string[]): LatLng | string {
  const [lat, lng] = cells.map(parseDecimal);
  const got = cells.map((cell) => JSON.stringify(cell)).join(' and ');
  if (lat === undefined || lng === undefined) {
    return parseCoordinates(cells.join(', '))[0] ?? `must have coordinates such as 48.85 and 2.35, got ${got}`;
  }
  if (Math.abs(lat) <= 90 && Math.abs(lng) <= 180) return { lat, lng };
  const hint = Math.abs(lng) <= 90 ? ' (swapped?)' : '';
  return `must have a latitude from -90 to 90 and a longitude from -180 to 180, got ${got}${hint}`;
}

/** A row that is not matched shows its best candidate, and how near it came. */
function outcomeOf(kind: Outcome['kind'], reason: string, hits: readonly Hit[] = [], isReverse = false): Outcome {
  const measure = (hit: Hit) => (isReverse ? Math.round(hit.distanceMeters!) : hit.confidence);
  const [best] = hits;
  const { objectID, label, record } = kind === 'matched' ? best! : ({} as Partial<Hit>);
  const candidate = kind === 'doubtful' ? best : undefined;
  const measures = [best && measure(best), isReverse ? best?.isInside : best?.matchCode];
  const problem = kind === 'bad' ? reason : undefined;
  return {
    kind,
    reason,
    fields: [objectID, label, record?.lat, record?.lng, ...measures, candidate?.objectID, candidate?.label, problem],
    candidates: hits.flatMap((hit) => [hit.objectID, hit.label, measure(hit)]),
  };
}
