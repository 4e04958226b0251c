/**
 * Region tables: rows of key and name, from GeoNames' admin files or bundled, with the other names people type.
 */
import type { Region } from '../../place/place.ts';
import { REGION_ALIASES } from './region-aliases.ts';
import { plainNames } from './region-names.ts';

export interface RegionRow {
  /** `US.TX` for a first-level division, `US.TX.113` for a second-level one. */
  readonly key: string;
  readonly name: string;
  readonly asciiName?: string;
  /** GeoNames' id of the division, by which its names in other languages are found. */
  readonly geonameId?: number;
}

/** Where GeoNames' first-level codes are those people write (TX, ZH, ENG). Elsewhere they would pass for other things. */
const COUNTRIES_WITH_LETTER_CODES: ReadonlySet<string> = new Set(['US', 'CH', 'GB', 'PH']);

/** Later rows with a key that was there already are left out. `namesOf` tells further names by GeoNames' id. */
export function createRegions(
  rows: Iterable<RegionRow>,
  namesOf: (geonameId: number) => readonly string[] = () => [],
): Region[] {
  const regions = new Map<string, Region>();
  for (const row of rows) {
    const name = row.name.trim();
    const depth = row.key.split('.').length - 1;
    if (name === '' || depth < 1 || regions.has(row.key)) continue;
    // Second-level codes may hold dots themselves.
    const level = depth === 1 ? 1 : 2;
    const aliases = new Set(aliasesOf(row, name));
    if (row.geonameId !== undefined) for (const alias of namesOf(row.geonameId)) aliases.add(alias);
    aliases.delete(name);
    regions.set(row.key, { key: row.key, level, country: row.key.slice(0, 2), name, aliases: [...aliases] });
  }
  return [...regions.values()];
}

/** The key of a division of which a source tells only the name. */
export function namedDivisionKey(parent: string, name: string): string {
  // a dot would part the key in a wrong place, and `~` keeps it from the codes of others
  return `${parent}.~${name.toLowerCase().replaceAll('.', '·')}`;
}

/** A line of admin1CodesASCII.txt or admin2Codes.txt: key, name, ASCII name, id. Undefined where it is none. */
export function parseRegionRow(line: string): RegionRow | undefined {
  const [key = '', name = '', asciiName = '', id = ''] = line.split('\t');
  if (!/^[A-Z]{2}\.\S/.test(key) || name === '') return undefined;
  return /^[1-9]\d{0,9}$/.test(id) ? { key, name, asciiName, geonameId: Number(id) } : { key, name, asciiName };
}

/** The first-level code itself, where people write it: "TX". */
export function codeAliases(country: string, code: string): string[] {
  return COUNTRIES_WITH_LETTER_CODES.has(country) && /^[A-Z]{2,3}$/.test(code) ? [code] : [];
}

function aliasesOf(row: RegionRow, name: string): string[] {
  const aliases = new Set<string>();
  if (row.asciiName !== undefined && row.asciiName !== '') aliases.add(row.asciiName);
  const [country = '', code = '', ...rest] = row.key.split('.');
  if (rest.length === 0) for (const alias of codeAliases(country, code)) aliases.add(alias);
  const listed = REGION_ALIASES[row.key] ?? [];
  for (const alias of listed) aliases.add(alias);
  if (listed.some((alias) => alias.endsWith('県'))) aliases.add(`${name}-ken`).add(`${name} Prefecture`);
  for (const plain of plainNames(name)) aliases.add(plain);
  return [...aliases];
}
