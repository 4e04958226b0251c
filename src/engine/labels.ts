/** Labels: each hit's name and as much of where it lies as tells it from the other hits, ending in the country. */
import type { PlaceRecord } from './engine.ts';

export function labelsOf(records: readonly PlaceRecord[]): string[] {
  const short = records.map((record) => chain(record, 0));
  const middle = records.map((record) => chain(record, 1));
  const counts = [countsOf(short), countsOf(middle)];
  return records.map((record, i) => {
    if (counts[0]?.get(short[i] ?? '') === 1) return short[i] ?? '';
    if (counts[1]?.get(middle[i] ?? '') === 1) return middle[i] ?? '';
    return chain(record, 2);
  });
}

function chain({ name, administrative, county, country }: PlaceRecord, depth: 0 | 1 | 2): string {
  const regions = [...(depth > 1 ? county : []), ...(depth > 0 ? administrative : [])];
  return [name, ...regions, country].filter((part) => part !== '').join(', ');
}

function countsOf(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}
