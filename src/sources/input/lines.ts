/**
 * Bytes to numbered lines, in memory bounded by one chunk and one line. A line that is too long or is no UTF-8 comes
 * through with its fault instead of its text, so that the reader can count it and go on.
 */
import { isUtf8 } from 'node:buffer';
import { SourceError } from '../source-error.ts';
import type { InputFile } from './input-files.ts';

export interface Line {
  /** Counts from 1. */
  readonly number: number;
  /** Without its line end. For a faulty line, what could be read of it. */
  readonly text: string;
  readonly fault?: 'bad UTF-8' | 'line too long';
}

/** The widest row GeoNames allows is under 13,000 characters; anything near this is not a row. */
export const MAX_LINE_BYTES = 1 << 20;

const LF = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';
/** As much of an overlong line as is kept to show. */
const KEPT_BYTES_OF_LONG_LINE = 200;

/** Yields the lines of each chunk together: one await a chunk, not one a line. */
export async function* readLines(file: InputFile): AsyncGenerator<readonly Line[]> {
  const lines = splitChunks(file.read());
  let next = 1;
  const read = async () => {
    try {
      return await lines.next();
    } catch (cause) {
      throw new SourceError(`${file.label}:${next}: ${(cause as Error).message}`, { cause });
    }
  };
  try {
    for (let step = await read(); !step.done; step = await read()) {
      yield step.value;
      next += step.value.length;
    }
  } finally {
    // closes the file when the reader stops early
    await lines.return(undefined);
  }
}

async function* splitChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  let number = 1;
  let carried: Buffer = Buffer.alloc(0);
  let isSkipping = false;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LF);
    if (end === -1) {
      if (isSkipping) continue;
      carried = Buffer.concat([carried, chunk]);
      isSkipping = carried.length > MAX_LINE_BYTES;
      continue;
    }
    const whole = isSkipping
      ? endOverlong(carried, chunk.subarray(0, end))
      : Buffer.concat([carried, chunk.subarray(0, end)]);
    const lines = splitLines(whole, number);
    yield lines;
    number += lines.length;
    isSkipping = false;
    carried = chunk.subarray(end + 1);
  }
  if (carried.length > 0) yield splitLines(carried, number);
}

/** The start of an overlong line, then what follows it; the rest of the line was never kept. */
function endOverlong(start: Buffer, rest: Buffer): Buffer {
  const end = rest.indexOf(LF);
  const kept = start.subarray(0, MAX_LINE_BYTES + 1);
  return end === -1 ? kept : Buffer.concat([kept, rest.subarray(end)]);
}

function splitLines(bytes: Buffer, firstNumber: number): Line[] {
  // One pass over the chunk settles the usual case; only a chunk with a bad line is looked at line by line.
  if (bytes.length <= MAX_LINE_BYTES && isUtf8(bytes)) {
    return bytes
      .toString('utf8')
      .split('\n')
      .map((text, i) => ({ number: firstNumber + i, text: trimLine(text, firstNumber + i) }));
  }
  const lines: Line[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const lineEnd = bytes.indexOf(LF, start);
    const end = lineEnd === -1 ? bytes.length : lineEnd;
    lines.push(lineOf(bytes.subarray(start, end), firstNumber + lines.length));
    start = end + 1;
  }
  return lines;
}

function lineOf(bytes: Buffer, number: number): Line {
  if (bytes.length > MAX_LINE_BYTES) {
    return { number, text: bytes.subarray(0, KEPT_BYTES_OF_LONG_LINE).toString('utf8'), fault: 'line too long' };
  }
  const text = trimLine(bytes.toString('utf8'), number);
  return isUtf8(bytes) ? { number, text } : { number, text, fault: 'bad UTF-8' };
}

function trimLine(text: string, number: number): string {
  const start = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  return text.slice(start, end);
}
