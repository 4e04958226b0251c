/** The objects of an engine that all parts of a search share. */
import type { Index } from '../index-file/layout.ts';
import type { SpatialIndex } from '../nearest.ts';
import type { Candidates } from '../rank/candidates.ts';
import type { WorkBudget } from '../work-budget.ts';

export interface SearchContext {
  readonly index: Index;
  readonly spatial: SpatialIndex;
  readonly candidates: Candidates;
  readonly work: WorkBudget;
}
