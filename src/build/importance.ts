/** Computes the importance of a place, 0..1: how likely people are to mean it. */

/** Chosen on queries with judged results: see docs/ranking.md. */
const WEIGHTS = { population: 0.72, names: 0.07, scripts: 0.18, adminRank: 0.07 } as const;
/** About seven million inhabitants: more make a city no better known. */
const MAX_LOG10_POPULATION = 6.85;
/** The best-known places have about 250 names. */
const MAX_LOG2_NAMES = Math.log2(250);
/** The best-known places have names in about 24 scripts. */
const MAX_LOG2_SCRIPTS = Math.log2(24);
const MAX_ADMIN_RANK = 5;
/** By administrative rank, for places of unknown population. */
const TYPICAL_POPULATION = [400, 800, 1500, 4000, 20_000, 100_000] as const;

interface ImportanceFactors {
  readonly population: number | undefined;
  readonly nameCount: number;
  /** Number of scripts that the names are written in, at least 1. */
  readonly scriptCount: number;
  readonly adminRank: number;
}

export function computeImportance({ population, nameCount, scriptCount, adminRank }: ImportanceFactors): number {
  const estimate = population ?? TYPICAL_POPULATION[adminRank] ?? TYPICAL_POPULATION[0];
  const size = Math.min(1, Math.log10(estimate + 1) / MAX_LOG10_POPULATION);
  return (
    WEIGHTS.population * size +
    WEIGHTS.names * Math.min(1, Math.log2(nameCount) / MAX_LOG2_NAMES) +
    WEIGHTS.scripts * Math.min(1, Math.log2(scriptCount) / MAX_LOG2_SCRIPTS) +
    // the larger a city, the less it matters whether it is the seat of a division
    WEIGHTS.adminRank * (adminRank / MAX_ADMIN_RANK) * (1 - size)
  );
}
