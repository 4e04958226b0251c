/**
 * Region tables: rows of key and name, from GeoNames' admin files or bundled, with the other names people type.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Region } from '../place/place.ts';
import { REGION_ALIASES } from './region-aliases.ts';
import { plainNames } from './region-names.ts';

export interface RegionRow {
  /** `US.TX` for a first-level division, `US.TX.113` for a second-level one. */
  readonly key: string;
  readonly name: string;
  readonly asciiName?: string;
}

/** Where GeoNames' first-level codes are those people write (TX, ZH, ENG). Elsewhere they would pass for other things. */
const COUNTRIES_WITH_LETTER_CODES: ReadonlySet<string> = new Set(['US', 'CH', 'GB', 'PH']);

/** Later rows with a key that was there already are left out. */
export function createRegions(rows: Iterable<RegionRow>): Region[] {
  const regions = new Map<string, Region>();
  for (const row of rows) {
    const name = row.name.trim();
    const depth = row.key.split('.').length - 1;
    if (name === '' || depth < 1 || regions.has(row.key)) continue;
    // Second-level codes may hold dots themselves.
    const level = depth === 1 ? 1 : 2;
    regions.set(row.key, { key: row.key, level, country: row.key.slice(0, 2), name, aliases: aliasesOf(row, name) });
  }
  return [...regions.values()];
}

/** GeoNames' own names for its files, with anything before or after: `2026-admin1CodesASCII.txt`. */
export function isRegionFile(path: string): boolean {
  return /admin[12]Codes/i.test(basename(path));
}

/** Tab-separated: key, name, ASCII name, id. Lines without key and name are left out. */
export function readRegionFile(path: string): RegionRow[] {
  const rows: RegionRow[] = [];
  for (const line of readFileSync(path, 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)) {
    const [key = '', name = '', asciiName = ''] = line.split('\t');
    if (key !== '' && name !== '') rows.push({ key, name, asciiName });
  }
  return rows;
}

function aliasesOf(row: RegionRow, name: string): string[] {
  const aliases = new Set<string>();
  if (row.asciiName !== undefined && row.asciiName !== '') aliases.add(row.asciiName);
  const [country = '', code = '', ...rest] = row.key.split('.');
  if (rest.length === 0 && COUNTRIES_WITH_LETTER_CODES.has(country) && /^[A-Z]{2,3}$/.test(code)) aliases.add(code);
  const listed = REGION_ALIASES[row.key] ?? [];
  for (const alias of listed) aliases.add(alias);
  if (listed.some((alias) => alias.endsWith('県'))) aliases.add(`${name}-ken`).add(`${name} Prefecture`);
  for (const plain of plainNames(name)) aliases.add(plain);
  aliases.delete(name);
  return [...aliases];
}
