/** Classifies GeoNames' files by their names. */
import type { InputFile } from '../input/input-files.ts';

export interface GeonamesFiles {
  /** Tables of places: allCountries.txt, cities500.txt, LI.txt and other text files. */
  readonly dumps: readonly InputFile[];
  /** admin1CodesASCII.txt, admin2Codes.txt. */
  readonly regions: readonly InputFile[];
  /** countryInfo.txt. */
  readonly countries: readonly InputFile[];
  /** alternateNamesV2.txt, and the country files in the folder `alternatenames`. */
  readonly alternateNames: readonly InputFile[];
}

/** Files in GeoNames' folders and archives that are not used. */
const UNUSED_FILES =
  /^(readme|iso-languagecodes|timeZones|featureCodes\w*|hierarchy|userTags|adminCode5|shapes\w*|deletes\w*|alternateNamesDeletes.*)\.\w+$/i;
const TEXT_FILE = /\.(txt|tsv)$/i;

/**
 * Groups the used files by kind. `userPaths` are the paths that the user gave. A file whose own
 * path is among them, not only that of its folder or archive, may be a dump with any extension.
 */
export function classifyGeonamesFiles(files: readonly InputFile[], userPaths: ReadonlySet<string>): GeonamesFiles {
  const lists: Record<keyof GeonamesFiles, InputFile[]> = { dumps: [], regions: [], countries: [], alternateNames: [] };
  for (const file of files) {
    const kind = fileKind(file, userPaths);
    if (kind !== undefined) lists[kind].push(file);
  }
  return lists;
}

function fileKind({ name, path }: InputFile, userPaths: ReadonlySet<string>): keyof GeonamesFiles | undefined {
  if (UNUSED_FILES.test(name)) return undefined;
  // users may rename files, as in `2026-admin1CodesASCII.txt`
  if (/admin[12]Codes/i.test(name)) return 'regions';
  if (/countryInfo/i.test(name)) return 'countries';
  if (/alternate_?names?/i.test(name) || /(^|[/\\])alternate_?names([/\\]|$)/i.test(path)) return 'alternateNames';
  return TEXT_FILE.test(name) || userPaths.has(path) ? 'dumps' : undefined;
}
