/** What the parts of a text search share. */
import type { Candidates } from './candidates.ts';
import type { SpatialIndex } from './nearest.ts';
import type { PlaceFilter } from './place-filter.ts';
import type { WorkBudget } from './work-budget.ts';

export interface SearchParts {
  readonly spatial: SpatialIndex;
  readonly filter: PlaceFilter;
  readonly candidates: Candidates;
  readonly work: WorkBudget;
}
