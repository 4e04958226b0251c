/**
 * Tables as spreadsheets and databases write them: CSV with any usual delimiter, and NDJSON. A bad row is only
 * itself: a quotation mark that is never closed does not take the rows after it.
 */
import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { type CsvError, parse } from 'csv-parse/sync';
import { SourceError } from '../report.ts';
import type { InputFile } from './input-files.ts';
import { type Line, MAX_LINE_BYTES, readLines } from './lines.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** A row may have this many lines, and MAX_LINE_BYTES. More come from a quotation mark that is never closed. */
const MAX_ROW_LINES = 100;
/** Encodings by the byte order mark of a file, in hexadecimal. */
const ENCODINGS = { fffe: 'utf-16le', feff: 'utf-16be', efbbbf: 'utf-8' };
/** Bytes at the start of a file that are enough to tell a picture or an archive from text. */
const SAMPLE_BYTES = 4096;
/** The control characters of text: tab, line feed, form feed, carriage return. */
const TEXT_CONTROLS = [0x09, 0x0a, 0x0c, 0x0d];

export interface Table {
  /** Undefined for NDJSON. */
  readonly delimiter: string | undefined;
  /** The cells of the first row; of NDJSON, its fields. */
  readonly headings: readonly string[];
  /** Encoding of the first chunk, from which all is decoded unless the chunk is ASCII. */
  readonly encoding: string;
  /** Whether a UTF-8 file in its place needs one: Excel reads UTF-8 only with a byte order mark. */
  readonly hasByteOrderMark: boolean;
  /** The rows of each chunk together, without the headings and empty lines. */
  readonly rows: AsyncIterable<readonly Line[]>;
}

/** Throws SourceError if the file is no table, or has no headings. */
export async function openTable(file: InputFile): Promise<Table> {
  const chunks = file.read()[Symbol.asyncIterator]();
  const start: Buffer = (await chunks.next()).value ?? Buffer.alloc(0);
  const hex = start.subarray(0, 3).toString('hex');
  const mark = Object.entries(ENCODINGS).find(([bytes]) => hex.startsWith(bytes))?.[1];
  if (mark === undefined && isBinary(start.subarray(0, SAMPLE_BYTES))) {
    throw new SourceError(`${file.label}: is no table (CSV, TSV or NDJSON) but binary data; save a spreadsheet as CSV`);
  }
  const encoding = mark ?? guessEncoding(start);
  const lines = readLines({ ...file, read: () => decode(start, chunks, mark) });
  const first: readonly Line[] = (await lines.next()).value ?? [];
  const top = Math.max(
    first.findIndex(({ text }) => text.trim() !== ''),
    0,
  );
  const text = first[top]?.text ?? '';
  const isNdjson = text.trimStart().startsWith('{');
  const delimiter = isNdjson ? undefined : guessDelimiter(text);
  const end = top + rowLength(first, top, { delimiter, isEnd: true });
  const cells = parseRows([joinLines(first.slice(top, end))], { delimiter })[0];
  const headings = isNdjson ? Object.keys(parseObject(text) ?? {}) : cells;
  if (!Array.isArray(headings) || headings.every((heading) => heading.trim() === '')) {
    throw new SourceError(`${file.label}: must begin with a row of headings, got ${JSON.stringify(text.slice(0, 80))}`);
  }
  return {
    delimiter,
    hasByteOrderMark: mark !== undefined || encoding !== 'utf-8',
    encoding,
    headings: headings.map((heading) => heading.trim()),
    rows: joinRows(first.slice(isNdjson ? top : end), lines, { delimiter, cells: headings.length }),
  };
}

/** A tenth of compressed data are control characters. A few in a table are only those of a bad row. */
function isBinary(sample: Buffer): boolean {
  const controls = sample.filter((byte) => byte < 0x20 && !TEXT_CONTROLS.includes(byte));
  return controls.length > 10 + sample.length / 50;
}

/** Excel's plain "CSV" is windows-1252 in much of the world. Some broken characters among whole ones are not. */
function guessEncoding(chunk: Buffer): string {
  // the last character may go on in the next chunk
  const others = new TextDecoder().decode(chunk, { stream: true }).replaceAll(/\p{ASCII}+/gu, '');
  const broken = others.length - others.replaceAll('\ufffd', '').length;
  return broken > others.length / 2 ? 'windows-1252' : 'utf-8';
}

/** Without a byte order mark, the first chunk that is not ASCII decides. */
async function* decode(start: Buffer, rest: AsyncIterator<Buffer>, mark: string | undefined): AsyncGenerator<Buffer> {
  let encoding = mark;
  let decoder: TextDecoder | undefined;
  for (let chunk: Buffer | undefined = start; chunk !== undefined; chunk = (await rest.next()).value) {
    encoding ??= isAscii(chunk) ? undefined : guessEncoding(chunk);
    if (encoding !== undefined && encoding !== 'utf-8') decoder ??= new TextDecoder(encoding);
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

/** The delimiter that the headings have most often. */
function guessDelimiter(headings: string): string {
  const count = (delimiter: string) => headings.replaceAll(/"[^"]*"/g, '').split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

interface RowShape {
  readonly delimiter: string | undefined;
  /** Undefined allows any number of cells. */
  readonly cells?: number | undefined;
  /** Whether no lines follow. */
  readonly isEnd?: boolean;
  /** Whether a quotation mark inside a cell is a fault. */
  readonly isStrict?: boolean;
}

async function* joinRows(first: readonly Line[], rest: AsyncIterable<readonly Line[]>, shape: RowShape) {
  let lines = first;
  const takeRows = (isEnd: boolean) => {
    const rows: Line[] = [];
    let at = 0;
    for (let length = 1; at < lines.length; at += length) {
      length = rowLength(lines, at, { ...shape, isEnd });
      if (length === 0) break;
      rows.push(length === 1 ? lines[at]! : joinLines(lines.slice(at, at + length)));
    }
    lines = lines.slice(at);
    return rows.filter((row) => !isBlank(row, shape));
  };
  yield takeRows(false);
  for await (const chunk of rest) {
    lines = [...lines, ...chunk];
    yield takeRows(false);
  }
  yield takeRows(true);
}

/** The number of lines of the row that begins at a line; 0 if that depends on lines to come. */
function rowLength(lines: readonly Line[], at: number, { delimiter, cells, isEnd }: RowShape): number {
  if (delimiter === undefined || !isOpen(lines[at])) return 1;
  let size = lines[at]!.text.length;
  for (let length = 2; length <= MAX_ROW_LINES && size <= MAX_LINE_BYTES; length++) {
    const line = lines[at + length - 1];
    if (line === undefined) return isEnd ? 1 : 0;
    size += line.text.length;
    if (!isOpen(line) && line.fault === undefined) continue;
    const [row] = parseRows([joinLines(lines.slice(at, at + length))], { delimiter, cells, isStrict: true });
    return Array.isArray(row) ? length : 1;
  }
  return 1;
}

/** Whether the quotation marks of a line do not pair up. */
function isOpen(line: Line | undefined): boolean {
  return line?.fault === undefined && (line?.text.includes('"') ?? false) && line!.text.split('"').length % 2 === 0;
}

/** Whether a line is no row. In a table with one column, an empty line is an empty cell. */
function isBlank({ text }: Line, { delimiter, cells }: RowShape): boolean {
  const isRow = delimiter !== undefined && (cells === 1 || text.includes(delimiter));
  return !isRow && text.trim() === '';
}

function joinLines(lines: readonly Line[]): Line {
  return { number: lines[0]?.number ?? 1, text: lines.map(({ text }) => text).join('\n') };
}

/** The cells of each row, or what is wrong with the row. */
export function parseRows(rows: readonly Line[], shape: RowShape): (string[] | string)[] {
  const { delimiter = ',', cells, isStrict = false } = shape;
  // in several rows, a mark inside a cell might belong to another row
  const relax_quotes = !isStrict && rows.length === 1;
  const options = { delimiter, record_delimiter: '\n', relax_quotes, relax_column_count: true } as const;
  try {
    const all = parse(rows.map(({ text }) => `${text}\n`).join(''), options);
    if (all.length === rows.length && rows.every(({ fault }) => fault === undefined)) {
      const misfit = ({ length }: string[]) => `has ${length} cell${length === 1 ? '' : 's'} instead of ${cells}`;
      return all.map((row) => (row.length === (cells ?? row.length) ? row : misfit(row)));
    }
  } catch (error) {
    const { code, message } = error as CsvError;
    if (rows.length === 1) return [code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quotation mark is never closed' : message];
  }
  if (rows.length === 1) return [rows[0]!.fault ?? 'quotation marks do not pair up'];
  return rows.flatMap((row) => parseRows([row], shape));
}

/** Returns undefined if the text is not a JSON object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A number with a decimal point or comma; undefined if it is none. */
export function parseDecimal(text: string): number | undefined {
  const plain = text.trim().replace(/^([-+]?\d+),(\d+)$/, '$1.$2');
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}
