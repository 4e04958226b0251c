/**
 * Finds badly misspelt places of a region, such as "mississppisippi state, ms". Few places are in a
 * region, so their main names are compared one by one.
 */
import type { Index } from '../../index-file/layout.ts';
import { readMainNameOffset } from '../../index-file/packed-record.ts';
import { readText } from '../../index-file/read-text.ts';
import { fold } from '../../text/fold.ts';
import { type Candidates, WITH_NEARNESS } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchContext } from './search.ts';

const MAX_TYPOS = 4;
/** Further typos cost nothing: a syllable typed twice is several typos, but one mistake. */
const MAX_COUNTED_TYPOS = 3;
/** The text may have one typo per this many letters. */
const LETTERS_PER_TYPO = 3;
const COMPARED_NAME_WORK = 40;

export class LooseScan {
  private readonly index: Index;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly work: WorkBudget;

  constructor({ index, filter, candidates, work }: SearchContext) {
    this.index = index;
    this.filter = filter;
    this.candidates = candidates;
    this.work = work;
  }

  /** Offers the places whose main name is similar to the text. The filter must require a region. */
  scan(text: string): void {
    const { index, filter, candidates, work } = this;
    const { placesPerWorkUnit } = filter;
    const sortedText = sortedWords(text);
    const maxTypos = Math.min(MAX_TYPOS, Math.floor(text.length / LETTERS_PER_TYPO));
    for (let place = 0; place < index.metadata.places; place++) {
      if (place % placesPerWorkUnit === 0 && !work.spend(1)) return;
      if (!filter.accepts(place)) continue;
      if (!work.spend(COMPARED_NAME_WORK)) return;
      const name = fold(readText(index, readMainNameOffset(index, place)));
      if (Math.abs(name.length - text.length) > maxTypos) continue;
      const typosIfReordered = 1 + typosBetween(sortedText, sortedWords(name)); // another order counts as a typo
      const typos = Math.min(typosBetween(text, name), typosIfReordered);
      if (typos > maxTypos) continue;
      candidates.setMatch(MATCH.whole, Math.min(typos, MAX_COUNTED_TYPOS));
      candidates.offerPlace(place, WITH_NEARNESS);
    }
  }
}

function sortedWords(folded: string): string {
  return folded.includes(' ') ? folded.split(' ').sort().join(' ') : folded;
}

/** Number of insertions, deletions, substitutions and transpositions of adjacent letters. */
function typosBetween(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let typos = Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1);
      const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isTransposed) typos = Math.min(typos, beforePrevious[j - 2]! + 1);
      current.push(typos);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
