/**
 * How likely people mean this place, 0..1: from its population, its rank among seats of government, and in how many
 * spellings and scripts the world writes its name (which knows Oxford from a suburb as large).
 */

/** Share of each sign; chosen on judged queries, see docs/ranking.md. */
export const WEIGHTS = { population: 0.78, names: 0.14, seat: 0.08 } as const;
/** The largest cities are a little over ten to the power of this. */
const LARGEST_LOG_POPULATION = 7.3;
/** The best-known places have some 250 names. */
const MOST_LOG_NAMES = Math.log2(250);
/** Where the population is not known: what places of that administrative rank typically have. */
const TYPICAL_POPULATION = [400, 800, 1500, 4000, 20_000, 100_000] as const;

export interface ImportanceSigns {
  readonly population: number | undefined;
  readonly nameCount: number;
  /** Of `Place`. */
  readonly adminRank: number;
}

export function importanceOf({ population, nameCount, adminRank }: ImportanceSigns): number {
  const people = population ?? TYPICAL_POPULATION[adminRank] ?? 400;
  const size = Math.min(1, Math.log10(people + 1) / LARGEST_LOG_POPULATION);
  const fame = Math.min(1, Math.log2(nameCount) / MOST_LOG_NAMES);
  return WEIGHTS.population * size + WEIGHTS.names * fame + WEIGHTS.seat * (adminRank / 5);
}
