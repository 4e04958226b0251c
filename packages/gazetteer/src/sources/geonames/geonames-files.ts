/** The kinds of GeoNames' files, by their names. */
import type { InputFile } from '../input/input-files.ts';

interface GeonamesFiles {
  /** allCountries.txt, cities500.txt, LI.txt and other text files. */
  readonly dumps: readonly InputFile[];
  readonly regions: readonly InputFile[];
  readonly countries: readonly InputFile[];
  readonly alternateNames: readonly InputFile[];
}

const UNUSED_FILES =
  /^(readme|iso-languagecodes|timeZones|featureCodes\w*|hierarchy|userTags|adminCode5|shapes\w*|deletes\w*|alternateNamesDeletes.*)\.\w+$/i;
const TEXT_FILE = /\.(txt|tsv)$/i;

/** Groups GeoNames' files by kind. A file that the user named in `userPaths` may be a dump of any extension. */
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
  // users may rename files: `2026-admin1CodesASCII.txt`
  if (/admin[12]Codes/i.test(name)) return 'regions';
  if (/countryInfo/i.test(name)) return 'countries';
  if (/alternate_?names?/i.test(name) || /(^|[/\\])alternate_?names([/\\]|$)/i.test(path)) return 'alternateNames';
  return TEXT_FILE.test(name) || userPaths.has(path) ? 'dumps' : undefined;
}
