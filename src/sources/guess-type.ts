import type { PlaceType } from '../place/place.ts';

/** Indexed by `adminRank` (0..5). Seats of unknown population are mostly rural. */
const TYPES_BY_RANK: readonly PlaceType[] = ['hamlet', 'hamlet', 'village', 'village', 'town', 'city'];

/** The type of a place by its population or, if that is unknown, by its administrative rank. */
export function guessType(population: number | undefined, adminRank: number): PlaceType {
  if (population === undefined) return TYPES_BY_RANK[adminRank] ?? 'hamlet';
  if (population >= 100_000) return 'city';
  if (population >= 10_000) return 'town';
  if (population >= 1_000) return 'village';
  return 'hamlet';
}
