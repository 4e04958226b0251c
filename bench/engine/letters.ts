/** Counts the letters that must be typed until the intended place is shown and stays. */
import { seededRandom } from '../../test/support/seeded-random.ts';
import type { BenchData } from '../bench-data.ts';
import { isCorrect, type JudgedPlace } from '../judge.ts';
import type { PeerProcess } from '../peer-process.ts';
import { drawByPopulation, type JudgedQuery, namePrefixes } from '../queries.ts';
import { formatCount, formatPercent, type Table } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { percentile } from '../statistics.ts';

const SEED = 20_261_115;
const NAMES = 300;
const SHOWN = 5;
/** Multiple of the time of a query class, because there are no rounds. */
const BUDGET_FACTOR = 3;

/** Letters per completed name until the place was among the hits shown, and until it was first. */
interface Letters {
  readonly shown: readonly number[];
  readonly first: readonly number[];
}

export async function measureLetters(
  peers: readonly PeerProcess[],
  { data, options }: { data: BenchData; options: RunOptions },
): Promise<Table> {
  const names = drawNames(data);
  const queries = names.flat().map(({ text }) => ({ text }));
  const placeById = new Map(data.places.map((place) => [place.id, place]));
  const letters: Letters[] = [];
  for (const peer of peers) {
    const { results } = await peer.measure({ queries, limit: SHOWN, budgetMs: BUDGET_FACTOR * options.budgetMs });
    const hits = results.map((ids) => ids.map((id) => placeById.get(id)));
    letters.push(countLetters(names, hits));
  }
  return {
    title: `Letters typed until the place is among the first ${SHOWN} and stays there (median; ${NAMES} names of places drawn by population)`,
    columns: ['engine', `in the first ${SHOWN}`, 'first', 'Toponym, same names', 'never', 'names'],
    rows: peers.map(({ name }, i) => formatRow(name, letters[i]!, letters[0]!)),
  };
}

/** Draws names, each as the queries that result from typing it letter by letter. */
function drawNames({ places }: BenchData): JudgedQuery[][] {
  const random = seededRandom(SEED);
  const draw = drawByPopulation(places);
  return Array.from({ length: NAMES }, () => namePrefixes(draw(random)));
}

/** `hits` covers only the first queries if a peer ran out of time. */
export function countLetters(
  names: readonly (readonly JudgedQuery[])[],
  hits: readonly (readonly (JudgedPlace | undefined)[])[],
): Letters {
  const shown: number[] = [];
  const first: number[] = [];
  let start = 0;
  for (const typed of names) {
    const found = hits.slice(start, start + typed.length);
    start += typed.length;
    if (found.length < typed.length) break;
    shown.push(lettersBefore(typed, (query, i) => isCorrect(query, found[i]!)));
    first.push(lettersBefore(typed, (query, i) => isCorrect(query, found[i]!.slice(0, 1))));
  }
  return { shown, first };
}

/** Returns Infinity if not even the full name finds the place. */
function lettersBefore(typed: readonly JudgedQuery[], isFound: (query: JudgedQuery, i: number) => boolean): number {
  const lastMiss = typed.findLastIndex((query, i) => !isFound(query, i));
  return typed[lastMiss + 1]?.text.length ?? Number.POSITIVE_INFINITY;
}

/** Slow peers complete only the first names, so ours is compared on the same names. */
function formatRow(engine: string, { shown, first }: Letters, ours: Letters): string[] {
  const names = shown.length;
  if (names === 0) return [engine, '–', '–', '–', '–', '0'];
  const never = shown.filter((letters) => !Number.isFinite(letters)).length / names;
  const compared = `${median(ours.shown.slice(0, names))}, ${median(ours.first.slice(0, names))}`;
  return [engine, median(shown), median(first), compared, formatPercent(never), formatCount(names)];
}

function median(letters: readonly number[]): string {
  const value = percentile(
    letters.toSorted((a, b) => a - b),
    0.5,
  );
  return Number.isFinite(value) ? formatCount(value) : 'never';
}
