/**
 * Finds the main places of a region, for a query that names a region and no place. Dense ids are in
 * importance order, so the places are read in that order until enough of them are in the region.
 */
import type { Index } from '../../index-file/layout.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { PlaceFilter } from '../rank/place-filter.ts';
import { PENALTIES } from '../rank/scores.ts';
import { MATCH } from '../trie/match-ranges.ts';
import type { WorkBudget } from '../work-budget.ts';
import type { SearchContext } from './search-context.ts';

/** Number of places of a region that rank by their importance; further places fill the page. */
const MAIN_PLACES = 5;
/** Work of checking whether one place is in the region. */
const PLACE_WORK = 0.25;

export class RegionScan {
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

  /** Offers up to `maxPlaces` places that pass the filter, which must require the region. */
  scan(maxPlaces: number): void {
    const { index, filter, candidates, work } = this;
    const usesNearness = true;
    candidates.setMatch(MATCH.exact, 0);
    let limit = candidates.idLimit(usesNearness);
    let count = 0;
    for (let place = 0; place < limit && count < maxPlaces; place++) {
      if (!work.spend(PLACE_WORK)) return;
      if (!filter.accepts(place)) continue;
      if (count === MAIN_PLACES) candidates.setMatch(MATCH.exact, 0, PENALTIES.lesserPlaceOfRegion);
      // no name matched: the posting stands for the first key of the main name, without flags
      candidates.offerPosting(place, index.slotPosting[index.placeSlots[place]!]!, usesNearness);
      limit = candidates.idLimit(usesNearness);
      count++;
    }
  }
}
