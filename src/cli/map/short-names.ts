/** Names for the labels of a map: as short as possible, but different from each other. */
import type { Hit } from '../../client/client.ts';

type Named = Pick<Hit, 'name' | 'label'>;

/** The name, or as many parts of the label as make it unique among the hits. */
export function shortNames(hits: readonly Named[]): string[] {
  const parts = hits.map(({ label }) => label.split(', '));
  return hits.map(({ name, label }, i) => {
    if (hits.filter((other) => other.name === name).length === 1) return name;
    const own = parts[i] ?? [];
    const isUnique = (length: number) =>
      parts.every((other, j) => j === i || startOf(other, length) !== startOf(own, length));
    const lengths = own.map((_, j) => j + 1);
    return startOf(own, lengths.find(isUnique) ?? own.length) || label;
  });
}

function startOf(parts: readonly string[], length: number): string {
  return parts.slice(0, length).join(', ');
}
