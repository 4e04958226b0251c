/**
 * Textbook edit distance by a full table: insertions, deletions, substitutions, transpositions.
 * A transposition with one letter inserted or deleted between the two counts as two edits.
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
