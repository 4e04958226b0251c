/** The error for a build without places. It says what the files look like and what was expected. */
import { classifyGeonamesFiles } from './geonames/file-kinds.ts';
import { describeContents } from './input/file-contents.ts';
import { findInputs, type InputFile } from './input/input-files.ts';
import { SourceError } from './source-error.ts';
import type { SourceFormat } from './source-format.ts';

/** Completes the sentence "--from FORMAT reads …". */
const EXPECTED_INPUT: Readonly<Record<SourceFormat, string>> = {
  geonames: 'GeoNames dumps: tab-separated rows of 19 columns, as in cities500.zip or allCountries.zip',
  osm: 'OpenStreetMap extracts (.osm.pbf) with named places: place=city, town, village, hamlet, suburb and the like',
  ndjson: 'one JSON object per line with at least id, name, lat, lng and country',
};
const MAX_FILES_PER_SOURCE = 3;

/** Reads the start of the files. `out` is the path of the index file that was not written. */
export async function noPlacesError(
  sources: readonly { readonly format: SourceFormat; readonly paths: readonly string[] }[],
  out: string,
): Promise<SourceError> {
  const lines: string[] = [];
  for (const { format, paths } of sources) {
    const files = format === 'osm' ? describeExtracts(paths) : await describeFiles(format, paths);
    lines.push(`  ${files.join(', ')}. --from ${format} reads ${EXPECTED_INPUT[format]}.`);
  }
  return new SourceError([`no places found; ${out} was not written.`, ...lines].join('\n'));
}

/** Needs no inspection, because osm.ts refuses files that are not extracts. */
function describeExtracts(paths: readonly string[]): string[] {
  return paths.slice(0, MAX_FILES_PER_SOURCE).map((path) => `${path} is an extract without a usable place`);
}

async function describeFiles(format: SourceFormat, paths: readonly string[]): Promise<string[]> {
  const found = findInputs(paths);
  const files: readonly InputFile[] =
    format === 'geonames' ? classifyGeonamesFiles(found, new Set(paths)).dumps : found;
  const described = files.slice(0, MAX_FILES_PER_SOURCE);
  return await Promise.all(described.map(async (file) => `${file.label} ${await describeContents(file)}`));
}
