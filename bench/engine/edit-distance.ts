/**
 * How many letters must be added, lost, replaced, or swapped to make one text of the other. Letters are swapped with the next,
 * or, which counts as two, around one that is added or lost between them.
 */

/** Longer texts count as nothing alike. */
const MOST_LETTERS = 64;
/** The row that is filled and the three before it. */
const rows = [0, 1, 2, 3].map(() => new Uint8Array(MOST_LETTERS + 1));

export function editDistance(a: string, b: string): number {
  if (a.length > MOST_LETTERS || b.length > MOST_LETTERS) return MOST_LETTERS;
  let [third, second, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const isSame = letter === b.charCodeAt(j - 1);
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2)) {
        if (a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) least = Math.min(least, second[j - 2]! + 1);
        if (i > 2 && a.charCodeAt(i - 3) === b.charCodeAt(j - 1)) least = Math.min(least, third[j - 2]! + 2);
      }
      if (i > 1 && j > 2 && letter === b.charCodeAt(j - 3) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        least = Math.min(least, second[j - 3]! + 2);
      row[j] = least;
    }
    [third, second, last, row] = [second, last, row, third];
  }
  return last[b.length]!;
}
