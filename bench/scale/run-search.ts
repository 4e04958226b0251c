/** Opens an index and answers the questions of a file; prints what it took. */
import { readFileSync } from 'node:fs';
import type { Hit } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import { isRight, type JudgedPlace } from '../judge.ts';
import type { QueryClass } from '../queries.ts';
import { overRounds, type Summary, summarize } from '../statistics.ts';

export interface Searched {
  readonly openMs: number;
  readonly classes: readonly (Summary & { readonly name: string; readonly rightShare: number })[];
}

const LIMIT = 10;
const ROUNDS = 3;
const BUDGET_MS = 20_000;

const [indexFile = '', queriesFile = ''] = process.argv.slice(2);
const start = performance.now();
const engine = openEngine(readIndexFile(indexFile));
engine.search({ text: 'a', limit: LIMIT });
const openMs = performance.now() - start;
const classes = JSON.parse(readFileSync(queriesFile, 'utf8')) as QueryClass[];
const searched: Searched = { openMs, classes: classes.map(measure) };
console.log(JSON.stringify(searched));

function measure({ name, queries }: QueryClass): Searched['classes'][number] {
  const rounds = Array.from({ length: ROUNDS }, () => time(queries));
  const middle = (of: (round: (typeof rounds)[number]) => number) => overRounds(rounds.map(of)).median;
  const { count } = rounds[0]!;
  return {
    name,
    count,
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    mean: middle(({ mean }) => mean),
    rightShare: middle(({ right }) => right),
  };
}

function time(queries: QueryClass['queries']) {
  const latencies: number[] = [];
  let right = 0;
  const end = performance.now() + BUDGET_MS;
  for (const query of queries) {
    const { text, near } = query;
    const begin = performance.now();
    const { hits } = engine.search(near ? { text, limit: LIMIT, around: near } : { text, limit: LIMIT });
    const stop = performance.now();
    latencies.push((stop - begin) * 1000);
    if (isRight(query, hits.map(placeOf))) right++;
    if (stop > end) break;
  }
  return { ...summarize(latencies), right: right / latencies.length };
}

function placeOf({ record }: Hit): JudgedPlace {
  const { objectID, name, lat, lng, regions } = record;
  return { id: objectID, name, lat, lng, region: regions.administrative[0] ?? '', country: regions.country };
}
