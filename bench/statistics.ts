/** Percentiles and their spread over rounds. */

export interface Summary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
}

/** Nearest-rank percentile, always a measured value; p99 of under 100 values is the maximum. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] as number;
}

export function summarize(values: ArrayLike<number>): Summary {
  const sorted = Float64Array.from(values).sort();
  const sum = sorted.reduce((total, value) => total + value, 0);
  return {
    count: sorted.length,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    mean: sum / sorted.length,
  };
}

/** A figure over several rounds. */
export interface Rounds {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function overRounds(values: readonly number[]): Rounds {
  const sorted = Float64Array.from(values).sort();
  return { median: percentile(sorted, 0.5), min: sorted.at(0) ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}
