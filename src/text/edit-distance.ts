/** How many letters must be added, lost, replaced, or swapped with the next to make one text of the other. */

/** Longer texts count as nothing alike. */
const MOST_LETTERS = 64;
/** The row that is filled and the two before it. */
const rows = [0, 1, 2].map(() => new Uint8Array(MOST_LETTERS + 1));

export function editDistance(a: string, b: string): number {
  return lastRow(a, b)?.[b.length] ?? MOST_LETTERS;
}

/** The least to make some beginning of `b` of `a`. */
export function prefixDistance(a: string, b: string): number {
  const row = lastRow(a, b);
  let least = MOST_LETTERS;
  if (row !== undefined) for (let j = 0; j <= b.length; j++) least = Math.min(least, row[j]!);
  return least;
}

/** Of each beginning of `b`, how far it is from `a`. */
function lastRow(a: string, b: string): Uint8Array | undefined {
  if (a.length > MOST_LETTERS || b.length > MOST_LETTERS) return undefined;
  let [beforeLast, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const isSame = letter === b.charCodeAt(j - 1);
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) least = Math.min(least, beforeLast[j - 2]! + 1);
      row[j] = least;
    }
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last;
}
