/** Guesses the contents of a file from its first bytes, for error messages about unusable files. */
import { isUtf8 } from 'node:buffer';
import type { InputFile } from './input-files.ts';

/** A copy, because sources may not import index-file/layout.ts. */
const INDEX_FILE_START = 'TOPONYM\n';
const INSPECTED_BYTES = 16_384;
const INSPECTED_LINES = 10;

/** A verb phrase that follows the file's name: `looks like a web page (HTML)`. */
export async function describeContents(file: InputFile): Promise<string> {
  const bytes = await firstBytes(file);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return bytes.length === 0 ? 'is empty' : 'contains only white space';
  return `looks like ${guessFormat(bytes, text)}`;
}

async function firstBytes(file: InputFile): Promise<Buffer> {
  for await (const chunk of file.read()) {
    if (chunk.length > 0) return chunk.subarray(0, INSPECTED_BYTES);
  }
  return Buffer.alloc(0);
}

function guessFormat(bytes: Buffer, text: string): string {
  const trimmed = text.trimStart();
  if (trimmed.startsWith(INDEX_FILE_START)) return 'a Toponym index, which is already built';
  if (bytes.includes(0) || !isUtf8(withoutPartialCharacter(bytes))) return 'binary data';
  if (/^(<!--.*?-->\s*)*<(!doctype html|html|head|body)\b/is.test(trimmed)) return 'a web page (HTML)';
  if (trimmed.startsWith('<')) return 'XML';
  if (trimmed.startsWith('[')) return 'a JSON array';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (trimmed.startsWith('{')) return isJson(lines[0] ?? '') ? 'NDJSON (one JSON object per line)' : 'JSON';
  return guessTable(lines.slice(0, INSPECTED_LINES));
}

function guessTable(lines: readonly string[]): string {
  const minColumns = (separator: string) => Math.min(...lines.map((line) => line.split(separator).length));
  if (minColumns('\t') > 1) return `a table of ${minColumns('\t')} tab-separated columns`;
  if (minColumns(',') > 1) return 'comma-separated values (CSV)';
  if (minColumns(';') > 1) return 'semicolon-separated values (CSV)';
  return 'plain text';
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Removes up to three bytes of a UTF-8 character that is cut off at the end. */
function withoutPartialCharacter(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && (bytes[end - 1] ?? 0) >= 0x80 && !isUtf8(bytes.subarray(0, end))) end--;
  return bytes.subarray(0, end);
}
