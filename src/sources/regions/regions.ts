/** Creates regions, with their aliases, from GeoNames' admin files or the bundled table. */
import type { Region } from '../../place/place.ts';
import { REGION_ALIASES } from './region-aliases.ts';
import { plainNames } from './region-names.ts';

export interface RegionRow {
  /** `US.TX` for a first-level division, `US.TX.113` for a second-level one. */
  readonly key: string;
  readonly name: string;
  readonly asciiName?: string;
  /** GeoNames id of the division, for its names in other languages. */
  readonly geonameId?: number;
}

/** Countries whose first-level codes in GeoNames are commonly typed (TX, ZH, ENG). */
const COUNTRIES_WITH_LETTER_CODES: ReadonlySet<string> = new Set(['US', 'CH', 'GB', 'PH']);

/** Skips rows with a repeated key. `namesById` returns alternate names by GeoNames id. */
export function createRegions(
  rows: Iterable<RegionRow>,
  namesById: (geonameId: number) => readonly string[] = () => [],
): Region[] {
  const regions = new Map<string, Region>();
  for (const row of rows) {
    const name = row.name.trim();
    const depth = row.key.split('.').length - 1;
    if (name === '' || depth < 1 || regions.has(row.key)) continue;
    // second-level codes may contain dots
    const level = depth === 1 ? 1 : 2;
    const aliases = new Set(collectAliases(row, name));
    if (row.geonameId !== undefined) for (const alias of namesById(row.geonameId)) aliases.add(alias);
    aliases.delete(name);
    regions.set(row.key, { key: row.key, level, country: row.key.slice(0, 2), name, aliases: [...aliases] });
  }
  return [...regions.values()];
}

/** Creates a region with the given aliases, plus its name without the generic word. */
export function createRegion(key: string, name: string, names: readonly string[] = []): Region {
  const aliases = new Set([...names, ...plainNames(name)]);
  aliases.delete(name);
  const level = key.split('.').length === 2 ? 1 : 2;
  return { key, level, country: key.slice(0, 2), name, aliases: [...aliases] };
}

/** The key of a division that a source knows only by name. */
export function namedDivisionKey(parent: string, name: string): string {
  // dots separate the parts of a key, and `~` avoids clashes with codes
  return `${parent}.~${name.toLowerCase().replaceAll('.', '·')}`;
}

/** Parses a row of admin1CodesASCII.txt or admin2Codes.txt. Undefined if the line is malformed. */
export function parseRegionRow(line: string): RegionRow | undefined {
  const [key = '', name = '', asciiName = '', id = ''] = line.split('\t');
  if (!/^[A-Z]{2}\.\S/.test(key) || name === '') return undefined;
  return /^[1-9]\d{0,9}$/.test(id) ? { key, name, asciiName, geonameId: Number(id) } : { key, name, asciiName };
}

/** The first-level code as an alias, if people type it: "TX". */
export function codeAliases(country: string, code: string): string[] {
  return COUNTRIES_WITH_LETTER_CODES.has(country) && /^[A-Z]{2,3}$/.test(code) ? [code] : [];
}

function collectAliases(row: RegionRow, name: string): string[] {
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
