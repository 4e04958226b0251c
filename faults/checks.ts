/** Checks: what a scenario measured, what is promised, and whether the promise holds. */
import { formatCount } from '../bench/report.ts';

/** `full` measures what results.md shows; `short` takes a few seconds, for `npm run test:all`. */
export type Scale = 'full' | 'short';

export interface Check {
  /** What was measured. */
  readonly measured: string;
  readonly result: string;
  /** Empty if the result is only a figure. */
  readonly promised: string;
  readonly held: boolean;
  readonly isSkipped?: boolean;
}

/** A figure about which nothing is promised. */
export function figure(measured: string, result: string): Check {
  return { measured, result, promised: '', held: true };
}

export function exactly(measured: string, value: number, promised: number): Check {
  return { measured, result: formatCount(value), promised: formatCount(promised), held: value === promised };
}

export function atMost(measured: string, value: number, max: number, format: (value: number) => string): Check {
  return { measured, result: format(value), promised: `at most ${format(max)}`, held: value <= max };
}

export function atLeast(measured: string, value: number, min: number, format: (value: number) => string): Check {
  return { measured, result: format(value), promised: `at least ${format(min)}`, held: value >= min };
}

/** A promise about time for a machine that does nothing else: only a figure beside other tests. */
export function ifAlone(scale: Scale, check: Check): Check {
  return scale === 'full' ? check : figure(check.measured, check.result);
}

/** The result of a check of behaviour that found no problem. */
export const AS_PROMISED = 'as promised';

/** The behaviour seen is the documented one if `problem` is undefined. */
export function behaves(measured: string, promised: string, problem: string | undefined): Check {
  return { measured, result: problem ?? AS_PROMISED, promised, held: problem === undefined };
}

/** A check that this machine cannot make. It fails in continuous integration. */
export function skipped(measured: string, reason: string): Check {
  return { measured, result: `skipped: ${reason}`, promised: '', held: process.env.CI !== 'true', isSkipped: true };
}

/** Runs `check`, and returns the message of the error that it throws. */
export async function problemOf(check: () => unknown): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function formatMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${formatCount(Math.round(ms))} ms`;
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
