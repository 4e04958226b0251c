/**
 * Edit distance: the number of insertions, deletions, substitutions and transpositions between two
 * texts. A transposition around one inserted or deleted letter counts as two.
 */

/** Longer texts have the maximum distance. */
const MAX_LETTERS = 64;
/** The current row of the table and the three before it. */
const rows = [0, 1, 2, 3].map(() => new Uint8Array(MAX_LETTERS + 1));

export function editDistance(a: string, b: string): number {
  if (a.length > MAX_LETTERS || b.length > MAX_LETTERS) return MAX_LETTERS;
  let [third, second, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const isSame = letter === b.charCodeAt(j - 1);
      let min = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2)) {
        if (a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) min = Math.min(min, second[j - 2]! + 1);
        if (i > 2 && a.charCodeAt(i - 3) === b.charCodeAt(j - 1)) min = Math.min(min, third[j - 2]! + 2);
      }
      if (i > 1 && j > 2 && letter === b.charCodeAt(j - 3) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        min = Math.min(min, second[j - 3]! + 2);
      row[j] = min;
    }
    [third, second, last, row] = [second, last, row, third];
  }
  return last[b.length]!;
}
