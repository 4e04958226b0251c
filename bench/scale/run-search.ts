/** Opens an index, runs the queries of a file and prints their latency and correctness. */
import { readFileSync } from 'node:fs';
import { openIndexEngine, searchIds } from '../engine/toponym.ts';
import { isCorrect, type JudgedPlace } from '../judge.ts';
import type { QueryClass } from '../queries.ts';
import { overRounds, type Summary, summarize } from '../statistics.ts';

export interface Searched {
  readonly openMs: number;
  readonly classes: readonly (Summary & { readonly name: string; readonly correctShare: number })[];
}

const LIMIT = 10;
const ROUNDS = 3;
const BUDGET_MS = 20_000;

const [indexFile = '', queriesFile = ''] = process.argv.slice(2);
const start = performance.now();
const engine = openIndexEngine(indexFile);
searchIds(engine, { text: 'a' }, LIMIT);
const openMs = performance.now() - start;
const classes = JSON.parse(readFileSync(queriesFile, 'utf8')) as QueryClass[];
const searched: Searched = { openMs, classes: classes.map(measure) };
console.log(JSON.stringify(searched));

function measure({ name, queries }: QueryClass): Searched['classes'][number] {
  const rounds = Array.from({ length: ROUNDS }, () => time(queries));
  const median = (of: (round: (typeof rounds)[number]) => number) => overRounds(rounds.map(of)).median;
  const { count } = rounds[0]!;
  return {
    name,
    count,
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    mean: median(({ mean }) => mean),
    correctShare: median(({ correct }) => correct),
  };
}

function time(queries: QueryClass['queries']) {
  const latencies: number[] = [];
  let correct = 0;
  const end = performance.now() + BUDGET_MS;
  for (const query of queries) {
    const begin = performance.now();
    const ids = searchIds(engine, query, LIMIT);
    const stop = performance.now();
    latencies.push((stop - begin) * 1000);
    if (isCorrect(query, ids.map(toJudgedPlace))) correct++;
    if (stop > end) break;
  }
  return { ...summarize(latencies), correct: correct / latencies.length };
}

function toJudgedPlace(id: string): JudgedPlace {
  const { name, lat, lng, regions } = engine.get(id)!.record;
  return { id, name, lat, lng, region: regions.administrative[0] ?? '', country: regions.country };
}
