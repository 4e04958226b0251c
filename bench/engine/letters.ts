/** How many letters people type until the place they mean is shown, and stays: what is noticed of an order. */
import { seededRandom } from '../../test/support/seeded-random.ts';
import type { BenchData } from '../bench-data.ts';
import { isRight, type JudgedPlace } from '../judge.ts';
import type { PeerProcess } from '../peer-process.ts';
import { drawByPopulation, type JudgedQuery, prefixesOf } from '../queries.ts';
import { formatCount, formatPercent, type Table } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { percentile } from '../statistics.ts';

const SEED = 20_261_115;
const NAMES = 300;
const SHOWN = 5;
/** Of a class's time, as there are no rounds. */
const TIMES = 3;

/** For each name that a peer came to the end of, after how many letters it was shown, and was the first. */
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
  const placeOf = new Map(data.places.map((place) => [place.id, place]));
  const letters: Letters[] = [];
  for (const peer of peers) {
    const { answers } = await peer.measure({ queries, limit: SHOWN, budgetMs: TIMES * options.budgetMs });
    const hits = answers.map((ids) => ids.map((id) => placeOf.get(id)));
    letters.push(countLetters(names, hits));
  }
  return {
    title: `Letters typed until the place is among the first ${SHOWN}, and stays (median; ${NAMES} names of places drawn by population)`,
    columns: ['engine', `in the first ${SHOWN}`, 'first', 'ours, same names', 'never', 'names'],
    rows: peers.map(({ name }, i) => rowOf(name, letters[i]!, letters[0]!)),
  };
}

/** Each as what is typed letter by letter. */
function drawNames({ places }: BenchData): JudgedQuery[][] {
  const random = seededRandom(SEED);
  const draw = drawByPopulation(places);
  return Array.from({ length: NAMES }, () => prefixesOf(draw(random)));
}

/** `hits` has those of as many queries, from the first on, as a peer had time for. */
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
    shown.push(lettersUntil(typed, (query, i) => isRight(query, found[i]!)));
    first.push(lettersUntil(typed, (query, i) => isRight(query, found[i]!.slice(0, 1))));
  }
  return { shown, first };
}

/** Infinity where not even the whole name will do. */
function lettersUntil(typed: readonly JudgedQuery[], isThere: (query: JudgedQuery, i: number) => boolean): number {
  const lastWithout = typed.findLastIndex((query, i) => !isThere(query, i));
  return typed[lastWithout + 1]?.text.length ?? Number.POSITIVE_INFINITY;
}

/** The peers come to fewer names: always the same first ones. */
function rowOf(engine: string, { shown, first }: Letters, ours: Letters): string[] {
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
