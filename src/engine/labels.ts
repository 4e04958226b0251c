/** Labels: each hit's name and as much of where it lies as tells it from the other hits, ending in the country. */
import type { PlaceRecord } from './engine.ts';

export function labelsOf(records: readonly PlaceRecord[]): string[] {
  const labels = records.map((record) => chain(record, 0));
  lengthen(labels, records, 1);
  lengthen(labels, records, 2);
  return labels;
}

/** Replaces labels that several hits share by ones with more regions in them. */
function lengthen(labels: string[], records: readonly PlaceRecord[], depth: 1 | 2): void {
  const shared = labels.map((label, i) => labels.indexOf(label) !== i || labels.lastIndexOf(label) !== i);
  shared.forEach((isShared, i) => {
    const record = records[i];
    if (isShared && record !== undefined) labels[i] = chain(record, depth);
  });
}

function chain({ name, administrative, county, country }: PlaceRecord, depth: 0 | 1 | 2): string {
  let label = name;
  if (depth > 1) for (const region of county) label += `, ${region}`;
  if (depth > 0) for (const region of administrative) label += `, ${region}`;
  return country === '' ? label : `${label}, ${country}`;
}
