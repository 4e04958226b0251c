/**
 * How likely people mean this place, 0..1: from its population, its rank among seats of government, and in how many
 * spellings and scripts the world writes its name (which knows Oxford from a suburb as large).
 */
import type { Place } from '../place/place.ts';

/** Share of each sign; chosen on judged queries, see docs/ranking.md. */
export const WEIGHTS = { population: 0.78, names: 0.14, seat: 0.08 } as const;
/** The largest cities are a little over ten to the power of this. */
const LARGEST_LOG_POPULATION = 7.3;
/** The best-known places have some 250 names. */
const MOST_LOG_NAMES = Math.log2(250);
/** Where the population is not known: what places of that administrative rank typically have. */
const TYPICAL_POPULATION = [400, 800, 1500, 4000, 20_000, 100_000] as const;

export function importanceOf(place: Place): number {
  const population = place.population ?? TYPICAL_POPULATION[place.adminRank] ?? 400;
  const size = Math.min(1, Math.log10(population + 1) / LARGEST_LOG_POPULATION);
  const fame = Math.min(1, Math.log2(place.names.length) / MOST_LOG_NAMES);
  return WEIGHTS.population * size + WEIGHTS.names * fame + WEIGHTS.seat * (place.adminRank / 5);
}
