/**
 * What each of GeoNames' files is, told by its name: wherever it was found, packed or not.
 */
import type { InputFile } from '../input/input-files.ts';

export interface GeonamesFiles {
  /** allCountries.txt, cities500.txt, one country's file…: anything that is nothing else. */
  readonly dumps: readonly InputFile[];
  /** admin1CodesASCII.txt, admin2Codes.txt. */
  readonly regions: readonly InputFile[];
  /** countryInfo.txt */
  readonly countries: readonly InputFile[];
  /** alternateNamesV2.txt, and the countries' files of the folder `alternatenames`. */
  readonly alternates: readonly InputFile[];
}

/** Comes along in GeoNames' folders and archives, and holds no places. */
const OTHER_FILES =
  /^(readme|iso-languagecodes|timeZones|featureCodes\w*|hierarchy|userTags|adminCode5|shapes\w*|deletes\w*|alternateNamesDeletes.*)\.\w+$/i;
const TEXT_FILE = /\.(txt|tsv)$/i;

/** `named` are the files given one by one: they are dumps whatever their ending. */
export function sortGeonamesFiles(files: readonly InputFile[], named: ReadonlySet<string>): GeonamesFiles {
  const sorted = { dumps: [], regions: [], countries: [], alternates: [] } as Record<keyof GeonamesFiles, InputFile[]>;
  for (const file of files) {
    const kind = kindOf(file, named);
    if (kind !== undefined) sorted[kind].push(file);
  }
  return sorted;
}

function kindOf(file: InputFile, named: ReadonlySet<string>): keyof GeonamesFiles | undefined {
  const { name, path } = file;
  // GeoNames' own names with anything before or after: `2026-admin1CodesASCII.txt`.
  if (OTHER_FILES.test(name)) return undefined;
  if (/admin[12]Codes/i.test(name)) return 'regions';
  if (/countryInfo/i.test(name)) return 'countries';
  if (/alternate_?names?/i.test(name) || /(^|[/\\])alternate_?names([/\\]|$)/i.test(path)) return 'alternates';
  return TEXT_FILE.test(name) || named.has(path) ? 'dumps' : undefined;
}
