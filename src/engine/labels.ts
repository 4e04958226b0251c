/** Labels: each hit's name and as much of where it lies as tells it from the other hits, ending in the country. */
import type { PlaceRecord } from './engine.ts';

/** How many levels of regions a label has between name and country. */
const MOST_LEVELS = 2;

/** How many levels it takes until no other hit is called the same. */
export function levelsNeeded(record: PlaceRecord, records: readonly PlaceRecord[]): number {
  let levels = 0;
  for (const other of records) {
    while (other !== record && levels < MOST_LEVELS && isAlike(record, other, levels)) levels++;
  }
  return levels;
}

function isAlike(a: PlaceRecord, b: PlaceRecord, levels: number): boolean {
  if (a.name !== b.name || a.country !== b.country) return false;
  return levels === 0 || a.administrative[0] === b.administrative[0];
}

export function labelWith({ name, administrative, county, country }: PlaceRecord, levels: number): string {
  let label = name;
  if (levels > 1) for (const region of county) label += `, ${region}`;
  if (levels > 0) for (const region of administrative) label += `, ${region}`;
  return country === '' ? label : `${label}, ${country}`;
}
