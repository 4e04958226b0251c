/** Sorts GeoNames' files by kind, which their names determine. */
import type { InputFile } from '../input/input-files.ts';

export interface GeonamesFiles {
  /** allCountries.txt, cities500.txt, LI.txt, and all other files that are not listed below. */
  readonly dumps: readonly InputFile[];
  /** admin1CodesASCII.txt, admin2Codes.txt. */
  readonly regions: readonly InputFile[];
  /** countryInfo.txt */
  readonly countries: readonly InputFile[];
  /** alternateNamesV2.txt, and the country files in the folder `alternatenames`. */
  readonly alternates: readonly InputFile[];
}

/** Files in GeoNames' folders and archives that contain no places. */
const OTHER_FILES =
  /^(readme|iso-languagecodes|timeZones|featureCodes\w*|hierarchy|userTags|adminCode5|shapes\w*|deletes\w*|alternateNamesDeletes.*)\.\w+$/i;
const TEXT_FILE = /\.(txt|tsv)$/i;

/** `named` are the paths given by the user: such files are dumps whatever their extension. */
export function sortGeonamesFiles(files: readonly InputFile[], named: ReadonlySet<string>): GeonamesFiles {
  const sorted = { dumps: [], regions: [], countries: [], alternates: [] } as Record<keyof GeonamesFiles, InputFile[]>;
  for (const file of files) {
    const kind = fileKind(file, named);
    if (kind !== undefined) sorted[kind].push(file);
  }
  return sorted;
}

function fileKind(file: InputFile, named: ReadonlySet<string>): keyof GeonamesFiles | undefined {
  const { name, path } = file;
  // other text may surround GeoNames' names: `2026-admin1CodesASCII.txt`
  if (OTHER_FILES.test(name)) return undefined;
  if (/admin[12]Codes/i.test(name)) return 'regions';
  if (/countryInfo/i.test(name)) return 'countries';
  if (/alternate_?names?/i.test(name) || /(^|[/\\])alternate_?names([/\\]|$)/i.test(path)) return 'alternates';
  return TEXT_FILE.test(name) || named.has(path) ? 'dumps' : undefined;
}
