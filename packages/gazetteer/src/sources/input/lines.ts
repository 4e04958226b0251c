/**
 * Splits files into numbered lines, with bounded memory, and reads the rows or places in them. A line
 * that is too long or not UTF-8 has a fault and counts as rejected.
 */
import { isUtf8 } from 'node:buffer';
import type { Place, SourceReport } from 'toponym-engine/place/place';
import { countKept, countRejected, type Rejection, type RowPosition, SourceError } from '../report.ts';
import type { InputFile } from './input-files.ts';

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Excludes the line break. If the line is too long, this is only its start. */
  readonly text: string;
  readonly fault?: 'bad UTF-8' | 'line too long';
}

/** The longest row that GeoNames allows is under 13,000 characters. */
export const MAX_LINE_BYTES = 1 << 20;

const LF = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';
const LONG_LINE_SAMPLE_BYTES = 200;

/** Yields the lines of each chunk together, because an await per line would be slow. */
export async function* readLines(file: InputFile): AsyncGenerator<readonly Line[]> {
  const chunks = file.read();
  let nextNumber = 1;
  let unfinished: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of chunks) {
      const lastLineBreak = chunk.lastIndexOf(LF);
      if (lastLineBreak === -1) {
        // the rest of a line that is too long is dropped
        if (unfinished.length <= MAX_LINE_BYTES) unfinished = Buffer.concat([unfinished, chunk]);
        continue;
      }
      const lines = splitLines(finishLine(unfinished, chunk.subarray(0, lastLineBreak)), nextNumber);
      yield lines;
      nextNumber += lines.length;
      unfinished = chunk.subarray(lastLineBreak + 1);
    }
  } catch (cause) {
    throw new SourceError(`${file.label}:${nextNumber}: ${(cause as Error).message}`, { cause });
  }
  if (unfinished.length > 0) yield splitLines(unfinished, nextNumber);
}

/** A line without a fault, and its position for reports. */
type Row = Line & { readonly at: RowPosition };

/** Yields the rows of each chunk together. Counts lines with faults as rejected, and skips empty ones. */
export async function* readRows(files: readonly InputFile[], report: SourceReport): AsyncGenerator<readonly Row[]> {
  for (const file of files) {
    for await (const lines of readLines(file)) {
      const rows: Row[] = [];
      for (const { number, text, fault } of lines) {
        const at = { file: file.label, line: number };
        if (fault !== undefined) countRejected(report, { reason: fault, got: text }, at);
        else if (text !== '') rows.push({ number, text, at });
      }
      yield rows;
    }
  }
}

interface PlaceReader<R> {
  /** Returns undefined for a row that is not a place. */
  readonly parse: (row: R) => Place | Rejection | undefined;
  /** `add` returns false for an id that is already in the set. */
  readonly ids: { add(id: string): boolean };
}

/** Reads a place per row, and counts rejected rows and repeated ids. */
export async function* readPlaces<R extends { readonly at: RowPosition }>(
  chunks: AsyncIterable<readonly R[]>,
  report: SourceReport,
  { parse, ids }: PlaceReader<R>,
): AsyncGenerator<Place> {
  for await (const rows of chunks) {
    for (const row of rows) {
      const result = parse(row);
      if (result === undefined) continue;
      if ('reason' in result) countRejected(report, result, row.at);
      else if (!ids.add(result.id)) countRejected(report, { reason: 'duplicate id', got: result.id }, row.at);
      else {
        countKept(report);
        yield result;
      }
    }
  }
}

/** Cuts the unfinished line if it is too long. */
function finishLine(unfinished: Buffer, restAndLines: Buffer): Buffer {
  if (unfinished.length <= MAX_LINE_BYTES) return Buffer.concat([unfinished, restAndLines]);
  const lineBreak = restAndLines.indexOf(LF);
  // one byte more, so that splitLines still reports the line as too long
  const start = unfinished.subarray(0, MAX_LINE_BYTES + 1);
  return lineBreak === -1 ? start : Buffer.concat([start, restAndLines.subarray(lineBreak)]);
}

function splitLines(bytes: Buffer, firstNumber: number): Line[] {
  // fast path: no line can have a fault
  if (bytes.length <= MAX_LINE_BYTES && isUtf8(bytes)) {
    return bytes
      .toString('utf8')
      .split('\n')
      .map((text, i) => ({ number: firstNumber + i, text: trimLine(text, firstNumber + i) }));
  }
  const lines: Line[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const lineBreak = bytes.indexOf(LF, start);
    const end = lineBreak === -1 ? bytes.length : lineBreak;
    lines.push(createLine(bytes.subarray(start, end), firstNumber + lines.length));
    start = end + 1;
  }
  return lines;
}

function createLine(bytes: Buffer, number: number): Line {
  if (bytes.length > MAX_LINE_BYTES) {
    return { number, text: bytes.subarray(0, LONG_LINE_SAMPLE_BYTES).toString('utf8'), fault: 'line too long' };
  }
  const text = trimLine(bytes.toString('utf8'), number);
  return isUtf8(bytes) ? { number, text } : { number, text, fault: 'bad UTF-8' };
}

/** Removes the byte order mark of the first line, and the CR of a CR LF. */
function trimLine(text: string, number: number): string {
  const start = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  return text.slice(start, end);
}
