/** The files to download from GeoNames, each with a size limit and a check of its first bytes. */
import { UsageError } from 'toponym-files/errors/errors';
import type { FileSignature } from '../fetch/download.ts';
import { parseCountryCode } from '../sources/regions/countries.ts';

export const GEONAMES_SETS = ['cities500', 'cities1000', 'cities5000', 'cities15000', 'allCountries'] as const;

export interface GeonamesChoice {
  readonly set?: string;
  readonly country?: string;
  readonly alternateNames?: boolean;
}

export interface RemoteFile {
  /** Path in GeoNames' dump folder and in the cache folder, such as `alternatenames/FR.zip`. */
  readonly relativePath: string;
  readonly maxBytes: number;
  readonly signature: FileSignature;
}

export interface GeonamesPlan {
  /** The set or the country code, such as `cities500` or `FR`. */
  readonly name: string;
  readonly files: readonly RemoteFile[];
}

/** In 2026, the largest archive, allCountries.zip, has 0.4 GB. */
const MAX_ZIP_BYTES = 4e9;
/** In 2026, the largest table has 3 MB. */
const MAX_TABLE_BYTES = 100e6;

/** First bytes of zip archives in hexadecimal: of one with files, and of an empty one. */
const ZIP_STARTS: readonly string[] = ['504b0304', '504b0506'];
const ZIP_SIGNATURE: FileSignature = {
  description: 'a zip archive',
  matches: (head) => ZIP_STARTS.includes(head.toString('hex', 0, 4)),
};
const DIVISIONS_SIGNATURE: FileSignature = {
  description: "a table of GeoNames' divisions",
  matches: (head) => /^[A-Z]{2}\.\S+\t/.test(head.toString('latin1')),
};
const COUNTRIES_SIGNATURE: FileSignature = {
  description: "GeoNames' table of countries",
  matches: (head) => /^(#|[A-Z]{2}\t)/.test(head.toString('latin1')),
};

export function planGeonames({ set, country, alternateNames }: GeonamesChoice): GeonamesPlan {
  const name = country === undefined ? checkSet(set) : checkCountry(country, set);
  const files: RemoteFile[] = [
    { relativePath: `${name}.zip`, maxBytes: MAX_ZIP_BYTES, signature: ZIP_SIGNATURE },
    { relativePath: 'admin1CodesASCII.txt', maxBytes: MAX_TABLE_BYTES, signature: DIVISIONS_SIGNATURE },
    { relativePath: 'admin2Codes.txt', maxBytes: MAX_TABLE_BYTES, signature: DIVISIONS_SIGNATURE },
    { relativePath: 'countryInfo.txt', maxBytes: MAX_TABLE_BYTES, signature: COUNTRIES_SIGNATURE },
  ];
  if (alternateNames) {
    const relativePath = country === undefined ? 'alternateNamesV2.zip' : `alternatenames/${name}.zip`;
    files.push({ relativePath, maxBytes: MAX_ZIP_BYTES, signature: ZIP_SIGNATURE });
  }
  return { name, files };
}

function checkSet(set = 'cities500'): string {
  if ((GEONAMES_SETS as readonly string[]).includes(set)) return set;
  throw new UsageError(`--set: must be one of ${GEONAMES_SETS.join(', ')}, got ${JSON.stringify(set)}.`);
}

function checkCountry(country: string, set: string | undefined): string {
  const code = parseCountryCode(country);
  if (set === undefined || set === 'allCountries') return code;
  throw new UsageError(
    `--country ${code} covers all places of the country: omit --set ${set}, or use --set allCountries.`,
  );
}
