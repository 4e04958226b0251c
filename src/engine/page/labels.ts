/** Labels of hits: name, the fewest regions that distinguish a hit from the others, and country. */
import type { PlaceRecord } from '../engine.ts';

/** Maximum number of divisions in a label, between name and country. */
const MAX_LEVELS = 2;

/** For each record, the number of divisions that its label needs to differ from the others. */
export function labelLevels(records: readonly PlaceRecord[]): Uint8Array {
  const levels = new Uint8Array(records.length);
  for (let i = 1; i < records.length; i++) {
    for (let j = 0; j < i; j++) {
      const needed = levelsNeeded(records[i]!, records[j]!);
      if (needed > levels[i]!) levels[i] = needed;
      if (needed > levels[j]!) levels[j] = needed;
    }
  }
  return levels;
}

function levelsNeeded(a: PlaceRecord, b: PlaceRecord): number {
  let levels = 0;
  while (levels < MAX_LEVELS && isSameLabel(a, b, levels)) levels++;
  return levels;
}

/** Whether the labels with `levels` (0 or 1) divisions are the same. */
function isSameLabel(a: PlaceRecord, b: PlaceRecord, levels: number): boolean {
  if (a.name !== b.name || a.regions.country !== b.regions.country) return false;
  return levels === 0 || a.regions.administrative[0] === b.regions.administrative[0];
}

/** `levels`: 0 no divisions, 1 the first-level one, 2 also the second-level one. */
export function formatLabel({ name, regions }: PlaceRecord, levels: number): string {
  const { administrative, county, country } = regions;
  let label = name;
  if (levels > 1) for (const region of county) label += `, ${region}`;
  if (levels > 0) for (const region of administrative) label += `, ${region}`;
  return country === '' ? label : `${label}, ${country}`;
}
