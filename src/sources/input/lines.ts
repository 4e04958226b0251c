/**
 * Splits bytes into numbered lines, with memory bounded by one chunk and one line. A line that is
 * too long or not UTF-8 has a fault, so that the reader can count it and continue.
 */
import { isUtf8 } from 'node:buffer';
import { SourceError } from '../source-error.ts';
import type { InputFile } from './input-files.ts';

export interface Line {
  /** Line number from 1. */
  readonly number: number;
  /** The line without its terminator; only the start of a line that is too long. */
  readonly text: string;
  readonly fault?: 'bad UTF-8' | 'line too long';
}

/** The longest row GeoNames allows is under 13,000 characters. */
export const MAX_LINE_BYTES = 1 << 20;

const LF = 0x0a;
const BYTE_ORDER_MARK = '\ufeff';
/** Bytes of an overlong line to keep as a sample. */
const LONG_LINE_SAMPLE_BYTES = 200;

/** Yields the lines of each chunk together: one await per chunk instead of one per line. */
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
    // closes the file if the caller stops early
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
      ? endOverlongLine(carried, chunk.subarray(0, end))
      : Buffer.concat([carried, chunk.subarray(0, end)]);
    const lines = splitLines(whole, number);
    yield lines;
    number += lines.length;
    isSkipping = false;
    carried = chunk.subarray(end + 1);
  }
  if (carried.length > 0) yield splitLines(carried, number);
}

/** Returns the start of an overlong line and the lines after it; drops the rest of that line. */
function endOverlongLine(start: Buffer, rest: Buffer): Buffer {
  const end = rest.indexOf(LF);
  const sample = start.subarray(0, MAX_LINE_BYTES + 1);
  return end === -1 ? sample : Buffer.concat([sample, rest.subarray(end)]);
}

function splitLines(bytes: Buffer, firstNumber: number): Line[] {
  // usually one check of the whole chunk is enough; only a chunk with a bad line is checked by line
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

function trimLine(text: string, number: number): string {
  const start = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  return text.slice(start, end);
}
