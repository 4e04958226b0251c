/**
 * The formats that `toponym build` reads, and the error for a build without places, which says what
 * the files look like and what was expected.
 */

import { isUtf8 } from 'node:buffer';
import { MAGIC } from 'toponym-engine/index-file/layout';
import { classifyGeonamesFiles } from './geonames/geonames-files.ts';
import { findInputs, type InputFile } from './input/input-files.ts';
import { SourceError } from './report.ts';

/** The formats that `toponym build --from` reads. An overlay changes the places of the index before it. */
export const SOURCE_FORMATS = ['geonames', 'osm', 'ndjson', 'csv', 'index', 'overlay'] as const;
export type SourceFormat = (typeof SOURCE_FORMATS)[number];

/** Completes the sentence "--from FORMAT reads …". */
const EXPECTED_INPUT: Readonly<Record<SourceFormat, string>> = {
  geonames: 'GeoNames dumps: tab-separated rows of 19 columns, as in cities500.zip or allCountries.zip',
  osm: 'OpenStreetMap extracts (.osm.pbf) with named places: place=city, town, village, hamlet, suburb and the like',
  ndjson: 'one JSON object per line with at least id, name, lat, lng and country',
  csv: 'tables of a spreadsheet (CSV) with headings, at least name, lat and lng',
  index: 'index files of Toponym',
  overlay: 'changes of the places of an index, one JSON object per line',
};
/** Of files that need no inspection, because others were refused before. */
const KNOWN_CONTENTS: Readonly<Partial<Record<SourceFormat, string>>> = {
  osm: 'is an extract without a usable place',
  index: 'is an index without a place that stays',
  overlay: 'hides or changes places of the index',
};
const MAX_FILES_PER_SOURCE = 3;

/** Reads the start of the files. `out` is the path of the index file that was not written. */
export async function noPlacesError(
  sources: readonly { readonly format: SourceFormat; readonly paths: readonly string[] }[],
  out: string,
): Promise<SourceError> {
  const lines: string[] = [];
  for (const { format, paths } of sources) {
    const files = await describeFiles(format, paths);
    lines.push(`  ${files.join(', ')}. --from ${format} reads ${EXPECTED_INPUT[format]}.`);
  }
  return new SourceError([`no places found; ${out} was not written.`, ...lines].join('\n'));
}

async function describeFiles(format: SourceFormat, paths: readonly string[]): Promise<string[]> {
  const known = KNOWN_CONTENTS[format];
  if (known !== undefined) return paths.slice(0, MAX_FILES_PER_SOURCE).map((path) => `${path} ${known}`);
  const found = findInputs(paths);
  const files: readonly InputFile[] =
    format === 'geonames' ? classifyGeonamesFiles(found, new Set(paths)).dumps : found;
  const described = files.slice(0, MAX_FILES_PER_SOURCE);
  return await Promise.all(described.map(async (file) => `${file.label} ${await describeContents(file)}`));
}

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
  if (trimmed.startsWith(MAGIC)) return 'a Toponym index, which is already built';
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
