/** The words at which a match may start: "rio" and "janeiro" in "rio de janeiro". */

const MAX_STARTS = 6;

/** Articles, prepositions, conjunctions and the frequent "san". */
export const PARTICLES = new Set(
  (
    'a al am an and at auf bei by d da das de dei del della den der des di die do dos du e el en et i im in l la las le ' +
    'les los lez na nad ob of on op oo pod pri s san sous sub sul sur t the u und unter upon van von vor y ya z zu zum zur'
  ).split(' '),
);

/** Offsets of the first MAX_STARTS words at which a match may start. */
export function wordStarts(folded: string): number[] {
  const starts: number[] = [];
  let start = 0;
  for (const word of folded.split(' ')) {
    if (start === 0 || !PARTICLES.has(word)) starts.push(start);
    start += word.length + 1;
  }
  return starts.slice(0, MAX_STARTS);
}
