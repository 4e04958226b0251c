/** Labels of hits: name, the fewest divisions that distinguish a hit from the others, country. */
import type { PlaceRecord } from '../engine.ts';

/** Maximum number of divisions in a label, between name and country. */
const MAX_DIVISIONS = 2;

/** For each record, the number of divisions that its label needs to differ from the others'. */
export function divisionsNeeded(records: readonly PlaceRecord[]): Uint8Array {
  const counts = new Uint8Array(records.length);
  for (let i = 1; i < records.length; i++) {
    for (let j = 0; j < i; j++) {
      const needed = divisionsToDistinguish(records[i]!, records[j]!);
      if (needed > counts[i]!) counts[i] = needed;
      if (needed > counts[j]!) counts[j] = needed;
    }
  }
  return counts;
}

function divisionsToDistinguish(a: PlaceRecord, b: PlaceRecord): number {
  let count = 0;
  while (count < MAX_DIVISIONS && isSameLabel(a, b, count)) count++;
  return count;
}

/** Whether two labels with this many divisions (0 or 1) are the same. */
function isSameLabel(a: PlaceRecord, b: PlaceRecord, divisions: number): boolean {
  if (a.name !== b.name || a.regions.country !== b.regions.country) return false;
  return divisions === 0 || a.regions.administrative[0] === b.regions.administrative[0];
}

/** The label of a place. `divisions`: 1 adds the first-level division, 2 also the second. */
export function formatLabel({ name, regions }: PlaceRecord, divisions = 0): string {
  const { administrative, county, country } = regions; // the first two are lists of at most one name
  let label = name;
  if (divisions > 1) for (const region of county) label += `, ${region}`;
  if (divisions > 0) for (const region of administrative) label += `, ${region}`;
  return country === '' ? label : `${label}, ${country}`;
}
