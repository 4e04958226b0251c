/** The words at which a match may start: "rio" and "janeiro" in "rio de janeiro". */
import { PARTICLES as PARTICLE_LIST } from './search-words.ts';

const MAX_STARTS = 6;

/** Articles, prepositions and the like. */
export const PARTICLES: ReadonlySet<string> = new Set(PARTICLE_LIST.split(' '));

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
