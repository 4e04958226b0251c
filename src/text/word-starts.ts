/**
 * The words of a folded name at which a match may start: the first word, and each later word except
 * particles. "rio de janeiro" is found by "rio" and by "janeiro", not by "de".
 */

/** Maximum word starts per name; a search by a later word does not find it. */
const MAX_STARTS = 6;

/** Articles, prepositions and conjunctions of the most common languages of names. */
const PARTICLES = new Set(
  (
    'a al am an and at auf bei by d da das de dei del della den der des di die do dos du e el en et i im in l la las le ' +
    'les los lez na nad ob of on op oo pod pri s san sous sub sul sur t the u und unter upon van von vor y ya z zu zum zur'
  ).split(' '),
);

/** Offsets of the word starts in a folded text; the first is 0. */
export function wordStarts(folded: string): number[] {
  const starts = [0];
  for (
    let space = folded.indexOf(' ');
    space !== -1 && starts.length < MAX_STARTS;
    space = folded.indexOf(' ', space + 1)
  ) {
    const end = folded.indexOf(' ', space + 1);
    const word = folded.slice(space + 1, end === -1 ? undefined : end);
    if (!PARTICLES.has(word)) starts.push(space + 1);
  }
  return starts;
}

/** Whether a folded word is an article, preposition or conjunction. */
export function isParticle(word: string): boolean {
  return PARTICLES.has(word);
}
