/**
 * What each part of a search is worth: the cases that pass only with it, those that pass only without
 * it, and the time that it takes. One part at a time is off, for the searches that would run it.
 */
import type { Engine, SearchResult } from 'toponym-engine/engine';
import type { Column } from 'toponym-program/cli/print/text-table';
import { percent, Z_95 } from '../generated/measuring.ts';
import { PARTS, type Part } from './parts.ts';
import type { Suite, SuiteCase } from './suites.ts';

export interface Worth {
  readonly part: string;
  readonly suite: string;
  /** Number of cases in the suite. */
  readonly cases: number;
  /** Number of searches that run the part. */
  readonly searches: number;
  /** Cases that fail without the part. */
  readonly lost: number;
  /** Cases that pass only without the part. */
  readonly gained: number;
  /** Of all searches of the suite. */
  readonly cost: Cost;
  /** What they take less without the part. */
  readonly saved: Cost;
}

interface Cost {
  /** Units of the work budget. They are the same in every run, but leave out how interpretations are made. */
  readonly work: number;
  /** Processor time. It advances in ticks, so only sums mean anything, and those on an idle machine. */
  readonly millis: number;
}

/** A case, and what the whole search makes of it. */
interface Known {
  readonly item: SuiteCase;
  readonly page: string;
  readonly passed: boolean;
  readonly parts: ReadonlySet<Part>;
  readonly cost: Cost;
}

interface KnownSuite {
  readonly name: string;
  readonly cases: readonly Known[];
}

/** Yields the worth of each part in each suite. `open` opens an engine that has no pages in its cache. */
export function* ablate(suites: readonly Suite[], open: () => Engine, parts = PARTS): Generator<Worth[]> {
  const [first, second] = [open(), open()];
  const known = suites.map(({ name, cases }): KnownSuite => {
    for (const { query } of cases) first.search(query); // compiles the code before times are measured
    return { name, cases: cases.map((item) => searchWhole(second, item)) };
  });
  for (const part of parts) {
    const engine = open();
    part.isOff = true;
    yield known.map((suite) => worthOf(part, suite, engine));
    part.isOff = false;
  }
}

function searchWhole(engine: Engine, item: SuiteCase): Known {
  for (const part of PARTS) part.hasRun = false;
  const { results, cost } = searchAll(engine, [item]);
  const parts = new Set(PARTS.filter(({ hasRun }) => hasRun));
  return { item, page: pageOf(results[0]!), passed: item.passes(results[0]!), parts, cost };
}

/** Searches only for what the part may change, with an engine in which it is off. */
function worthOf(part: Part, { name, cases }: KnownSuite, engine: Engine): Worth {
  const affected = cases.filter(({ parts }) => parts.has(part));
  const { results, cost } = searchAll(
    engine,
    affected.map(({ item }) => item),
  );
  const changed = affected.flatMap(({ item, page, passed }, i) =>
    pageOf(results[i]!) === page ? [] : [{ passed, passesNow: item.passes(results[i]!) }],
  );
  return {
    part: part.name,
    suite: name,
    cases: cases.length,
    searches: affected.length,
    lost: changed.filter(({ passed, passesNow }) => passed && !passesNow).length,
    gained: changed.filter(({ passed, passesNow }) => !passed && passesNow).length,
    cost: totalCost(cases),
    saved: difference(totalCost(affected), cost),
  };
}

function totalCost(parts: readonly { readonly cost: Cost }[]): Cost {
  return {
    work: parts.reduce((sum, { cost }) => sum + cost.work, 0),
    millis: parts.reduce((sum, { cost }) => sum + cost.millis, 0),
  };
}

function difference(a: Cost, b: Cost): Cost {
  return { work: a.work - b.work, millis: a.millis - b.millis };
}

function searchAll(engine: Engine, cases: readonly SuiteCase[]) {
  const start = process.threadCpuUsage();
  const results = cases.map(({ query }) => engine.search(query));
  const { user, system } = process.threadCpuUsage(start);
  const work = results.reduce((sum, result) => sum + (result.work ?? 0), 0);
  return { results, cost: { work, millis: (user + system) / 1000 } };
}

/** What cases judge. */
function pageOf({ hits }: SearchResult): string {
  return hits.map(({ objectID, confidence }) => `${objectID} ${confidence}`).join();
}

/** Adds up those of one part. */
export function totalWorth(worths: readonly Worth[], suite: string): Worth {
  const sum = (figure: (worth: Worth) => number) => worths.reduce((total, worth) => total + figure(worth), 0);
  return {
    part: worths[0]!.part,
    suite,
    cases: sum(({ cases }) => cases),
    searches: sum(({ searches }) => searches),
    lost: sum(({ lost }) => lost),
    gained: sum(({ gained }) => gained),
    cost: totalCost(worths),
    saved: totalCost(worths.map(({ saved }) => ({ cost: saved }))),
  };
}

/**
 * The share of cases that pass without the part minus the share that pass with it, as an interval of
 * 95%: Wald's for paired shares, with half a case added to each outcome (Agresti and Min 2005).
 */
export function netInterval({ cases, lost, gained }: Worth): readonly [number, number] {
  const n = cases + 2;
  const net = (gained - lost) / n;
  const spread = Z_95 * Math.sqrt((gained + lost + 1) / n - net ** 2) * Math.sqrt(1 / n);
  return [net - spread, net + spread];
}

export const WORTH_COLUMNS: readonly Column<Worth>[] = [
  { title: 'without', value: ({ part }) => part, isName: true },
  { title: 'suite', value: ({ suite }) => suite },
  { title: 'cases', value: ({ cases }) => String(cases), align: 'right' },
  { title: 'runs in', value: ({ searches }) => String(searches), align: 'right' },
  { title: 'lost', value: ({ lost }) => String(lost), align: 'right' },
  { title: 'gained', value: ({ gained }) => String(gained), align: 'right' },
  { title: 'net', value: ({ cases, lost, gained }) => percent((gained - lost) / cases), align: 'right' },
  { title: '95%', value: (worth) => netInterval(worth).map(percent).join(' to '), align: 'right' },
  { title: 'work', value: ({ cost, saved }) => `${percent(-saved.work / cost.work)}%`, align: 'right' },
  { title: 'time', value: ({ cost, saved }) => `${percent(-saved.millis / cost.millis)}%`, align: 'right' },
];
