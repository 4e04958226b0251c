/**
 * Insertions, deletions, substitutions and swaps between two texts, by the textbook: a full table. Swapped letters are
 * neighbours, or in one of the texts have one letter between them, which counts as one more.
 */
export function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const isAroundOne = i > 2 && j > 1 && a[i - 1] === b[j - 2] && a[i - 3] === b[j - 1];
      const aroundOne = isAroundOne ? at(i - 3, j - 2) + 2 : Number.POSITIVE_INFINITY;
      const isAroundNone = i > 1 && j > 2 && a[i - 1] === b[j - 3] && a[i - 2] === b[j - 1];
      const aroundNone = isAroundNone ? at(i - 2, j - 3) + 2 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped, aroundOne, aroundNone));
    }
  }
  return at(a.length, b.length);
}
