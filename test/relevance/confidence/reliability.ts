/** Measures whether confidence means correctness: at 0.9, nine of ten hits should be right. */
import type { Column } from 'toponym-program/cli/print/text-table';
import type { Claim } from './observations.ts';

/** Claims of about the same confidence. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanConfidence: number;
  /** Share of right hits, 0..1. */
  readonly right: number;
}

const BIN_COUNT = 10;

/** Ten equal ranges of confidence. Those without claims are left out. */
export function reliabilityBins(claims: readonly Claim[]): Bin[] {
  const groups = Map.groupBy(claims, ({ confidence }) => Math.min(BIN_COUNT - 1, Math.floor(confidence * BIN_COUNT)));
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([bin, members]) => ({
      from: bin / BIN_COUNT,
      to: (bin + 1) / BIN_COUNT,
      count: members.length,
      meanConfidence: mean(members.map(({ confidence }) => confidence)),
      right: shareRight(members),
    }));
}

/** The mean difference between confidence and the share of right hits, over all bins. */
export function expectedCalibrationError(claims: readonly Claim[]): number {
  const differences = reliabilityBins(claims).map(
    ({ count, meanConfidence, right }) => (count / claims.length) * Math.abs(meanConfidence - right),
  );
  return differences.reduce((sum, difference) => sum + difference, 0);
}

export function shareRight(claims: readonly Claim[]): number {
  return mean(claims.map(({ isRight }) => (isRight ? 1 : 0)));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Columns of a table of groups of claims. */
export const CLAIM_COLUMNS: readonly Column<{ readonly claims: readonly Claim[] }>[] = [
  { title: 'count', value: ({ claims }) => String(claims.length), align: 'right' },
  {
    title: 'confidence',
    value: ({ claims }) => mean(claims.map(({ confidence }) => confidence)).toFixed(3),
    align: 'right',
  },
  { title: 'right', value: ({ claims }) => shareRight(claims).toFixed(3), align: 'right' },
  { title: 'error', value: ({ claims }) => expectedCalibrationError(claims).toFixed(3), align: 'right' },
];
