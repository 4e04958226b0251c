/** Runs the generated queries: how often the engine is right in each class, and how long it takes. */
import type { Engine, SearchResult } from 'toponym-engine/engine';
import type { Index } from 'toponym-engine/index-file/layout';
import type { Column } from 'toponym-program/cli/print/text-table';
import type { JudgedQuery } from '../confidence/observations.ts';
import { mean } from '../confidence/reliability.ts';
import { type ErrorClass, errorClasses } from './classes.ts';

/** A hit with at least this confidence is taken for what was meant. */
const LIKELY = 0.5;
const TEN = 10;
const TIMED_RUNS = 3;
/** Quantile of the normal distribution for an interval of 95%. */
export const Z_95 = 1.96;

export const QUERIES_PER_CLASS = 400;
/** By class: how many of the TESTED_PER_CLASS queries must pass. */
export const GENERATED_FLOOR = new URL('floor.json', import.meta.url);
export const TESTED_PER_CLASS = 20;

export interface ClassOutcome extends Pick<ErrorClass, 'name' | 'isAbsent'> {
  readonly count: number;
  /** Queries that pass. */
  readonly passed: number;
  /** Queries with a right place among the first ten hits. */
  readonly inTen: number;
  /** Mean confidence of the first hit. */
  readonly confidence: number;
  /** Mean units of the work budget, which are the same in every run. */
  readonly work: number;
  /** Time of each query, ascending. */
  readonly micros: readonly number[];
}

/** Whether the first hit is right or, if nothing is meant that the data has, no hit is likely. */
export function passes(isAbsent: boolean, { isRight }: JudgedQuery, result: SearchResult): boolean {
  const [first] = result.hits;
  return isAbsent ? confidenceOf(result) < LIKELY : first !== undefined && isRight(first.record);
}

/** By class: how many of the queries that the test runs pass. */
export function testedOutcomes(index: Index, engine: Engine): { name: string; passed: number }[] {
  return errorClasses(index, engine, TESTED_PER_CLASS).map(({ name, isAbsent, queries }) => ({
    name,
    passed: queries.filter((judged) => passes(isAbsent, judged, engine.search(judged.query))).length,
  }));
}

export function measure(engine: Engine, { name, isAbsent, queries }: ErrorClass): ClassOutcome {
  const outcomes = queries.map((judged) => {
    const { result, micros } = timedSearch(engine, judged);
    const rank = result.hits.findIndex(({ record }) => judged.isRight(record));
    return {
      passed: passes(isAbsent, judged, result),
      rank,
      confidence: confidenceOf(result),
      work: result.work ?? 0,
      micros,
    };
  });
  return {
    name,
    isAbsent,
    count: outcomes.length,
    passed: outcomes.filter(({ passed }) => passed).length,
    inTen: outcomes.filter(({ rank }) => rank >= 0 && rank < TEN).length,
    confidence: mean(outcomes.map(({ confidence }) => confidence)),
    work: mean(outcomes.map(({ work }) => work)),
    micros: outcomes.map(({ micros }) => micros).sort((a, b) => a - b),
  };
}

/** The time is the shortest of several runs: what other programs take of the processor makes the others longer. */
function timedSearch(engine: Engine, { query }: JudgedQuery): { result: SearchResult; micros: number } {
  let result = engine.search(query);
  let micros = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TIMED_RUNS; i++) {
    const start = performance.now();
    result = engine.search(query);
    micros = Math.min(micros, 1000 * (performance.now() - start));
  }
  return { result, micros };
}

/** Of the first hit. */
function confidenceOf({ hits: [first] }: SearchResult): number {
  return first?.confidence ?? 0;
}

/** Wilson's interval for a share, 0..1. */
export function wilsonInterval(part: number, whole: number): readonly [number, number] {
  const share = part / whole;
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / whole + Z_95 ** 2 / (4 * whole ** 2));
  const scale = 1 + Z_95 ** 2 / whole;
  const middle = share + Z_95 ** 2 / (2 * whole);
  return [(middle - spread) / scale, (middle + spread) / scale];
}

export const CLASS_COLUMNS: readonly Column<ClassOutcome>[] = [
  { title: 'generated queries', value: ({ name }) => name, isName: true },
  { title: 'count', value: ({ count }) => String(count), align: 'right' },
  { title: 'right', value: ({ passed, count }) => percent(passed / count), align: 'right' },
  {
    title: '95%',
    value: ({ passed, count }) => wilsonInterval(passed, count).map(percent).join('–'),
    align: 'right',
  },
  { title: 'in ten', value: ({ isAbsent, inTen, count }) => (isAbsent ? '-' : percent(inTen / count)), align: 'right' },
  { title: 'confidence', value: ({ confidence }) => confidence.toFixed(3), align: 'right' },
  { title: 'work', value: ({ work }) => work.toFixed(0), align: 'right' },
  { title: 'median µs', value: ({ micros }) => quantile(micros, 0.5).toFixed(0), align: 'right' },
  { title: 'p99 µs', value: ({ micros }) => quantile(micros, 0.99).toFixed(0), align: 'right' },
];

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}

export function percent(share: number): string {
  return (100 * share).toFixed(1);
}
