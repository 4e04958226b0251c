/** Text search: latency and share of correct results per query class, for Toponym and its peers. */
import type { BenchData } from '../bench-data.ts';
import type { Panel } from '../chart.ts';
import { isCorrect } from '../judge.ts';
import type { PeerProcess } from '../peer-process.ts';
import { startPeers } from '../peer-process.ts';
import { createQueryClasses, type JudgedQuery, type QueryClass } from '../queries.ts';
import {
  formatCount,
  formatLatencies,
  formatMegabytes,
  formatPercent,
  formatUs,
  type SectionReport,
  type Table,
} from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { overRounds, type Rounds, type Summary, summarize } from '../statistics.ts';
import { measureLetters } from './letters.ts';

const QUERIES = 2000;
const LIMIT = 10;
const PEERS = [
  'toponym',
  'toponym-responses',
  'minisearch',
  'flexsearch',
  'orama',
  'ufuzzy',
  'sqlite',
  'postgres',
  'sphinx',
];

/** Figures of one peer for one query class. */
interface Result {
  readonly peer: PeerProcess;
  readonly p50: Rounds;
  readonly p99: Rounds;
  /** Whether the result of each measured query was correct. */
  readonly correct: ReadonlyMap<JudgedQuery, boolean>;
}

export async function measureEngine(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const classes = createQueryClasses(data.places, QUERIES);
  const files = PEERS.map((name) => new URL(`./${name}.ts`, import.meta.url));
  const { peers, skipped } = await startPeers(files, { ...data, inParallel: options.isQuick });
  try {
    const results = new Map<QueryClass, Result[]>();
    for (const each of classes) {
      console.log(`  ${each.name}`);
      results.set(each, await measureClass(each, { peers, data, options }));
    }
    console.log('  letters typed');
    const letters = await measureLetters(peers.filter(isMain), { data, options });
    return createReport(results, { peers, skipped, letters, isQuick: options.isQuick });
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

async function measureClass(
  { queries }: QueryClass,
  { peers, data, options }: { peers: readonly PeerProcess[]; data: BenchData; options: RunOptions },
): Promise<Result[]> {
  const tallies = new Map(
    peers.map((peer) => [peer, { rounds: [] as Summary[], correct: new Map<JudgedQuery, boolean>() }]),
  );
  const placeById = new Map(data.places.map((place) => [place.id, place]));
  for (let round = 0; round < options.rounds; round++) {
    // each round starts at another query, so that slow peers cover more of them
    const rotated = rotate(queries, Math.floor((round * queries.length) / options.rounds));
    const sent = rotated.map(({ text, near }) => ({ text, near }));
    for (const [peer, tally] of tallies) {
      const { latenciesUs, results } = await peer.measure({ queries: sent, limit: LIMIT, budgetMs: options.budgetMs });
      tally.rounds.push(summarize(latenciesUs));
      results.forEach((ids, i) => {
        const hits = ids.map((id) => placeById.get(id));
        tally.correct.set(rotated[i]!, isCorrect(rotated[i]!, hits));
      });
    }
  }
  return Array.from(tallies, ([peer, { rounds, correct }]) => ({
    peer,
    p50: overRounds(rounds.map(({ p50 }) => p50)),
    p99: overRounds(rounds.map(({ p99 }) => p99)),
    correct,
  }));
}

function rotate<T>(values: readonly T[], by: number): T[] {
  return [...values.slice(by), ...values.slice(0, by)];
}

interface ReportParts {
  readonly peers: readonly PeerProcess[];
  readonly skipped: readonly string[];
  readonly letters: Table;
  readonly isQuick: boolean;
}

function createReport(
  results: ReadonlyMap<QueryClass, Result[]>,
  { peers, skipped, letters, isQuick }: ReportParts,
): SectionReport {
  const classes = [...results.entries()];
  return {
    title: 'Text search',
    method: [
      'All engines get the same places (GeoNames cities500) and the same queries, which a seeded generator creates from those places in ' +
        'lower case without accents. Every engine returns the ids of its first ten places; a second row for ' +
        'Toponym also writes the full response. Figures are medians over the rounds, after a warm-up. ' +
        'Toponym caches the results of queries of up to three letters. Slow engines reach fewer ' +
        `queries; the share of correct results of Toponym for those differs by at most ${formatPercent(maxShareDifference(results))}. ` +
        'Below 100 queries, p99 is the maximum.',
      classes.map(([{ name, description }]) => `- **${name}**: ${description}`).join('\n'),
      'A result is correct if the place that the query was created from is among the first ten. A place of the same name counts too if ' +
        'the query cannot distinguish it (with a region: in the same region; with a point: within 50 km).',
    ],
    tables: [searchTable(results), letters, ...(isQuick ? [] : [costTable(peers.filter(isMain))])],
    panels: classes.map(([{ name }, each]) => createPanel(name, each)),
    skipped,
  };
}

function searchTable(results: ReadonlyMap<QueryClass, readonly Result[]>): Table {
  const columns = [...results.values()];
  const peers = columns[0]!.map(({ peer }) => peer);
  return {
    title: 'p50 / p99, correct in top 10',
    columns: ['engine', ...Array.from(results.keys(), ({ name }) => name), 'queries'],
    rows: peers.map((peer, i) => {
      const counts = columns.map((column) => column[i]!.correct.size);
      const [fewest, most] = [Math.min(...counts), Math.max(...counts)].map(formatCount);
      return [
        peer.name,
        ...columns.map((column) => formatSearch(column[i]!)),
        fewest === most ? `${most}` : `${fewest} to ${most}`,
      ];
    }),
  };
}

function formatSearch(result: Result): string {
  return formatLatencies({ p50: result.p50.median, p99: result.p99.median, correctShare: correctShare(result) });
}

/** How far Toponym's share for the queries that a peer reached is from its share for all, at most. */
function maxShareDifference(results: ReadonlyMap<QueryClass, readonly Result[]>): number {
  const differences = Array.from(results.values(), (column) => {
    const ours = column[0]!;
    return column.map(({ correct }) => Math.abs(correctShare(ours, correct.keys()) - correctShare(ours)));
  });
  return Math.max(...differences.flat());
}

/** Leaves out the second row of Toponym, which loads and finds the same. */
function isMain({ name }: PeerProcess): boolean {
  return !name.startsWith('Toponym,');
}

/** Share of correct results for the given queries, or for all measured ones. */
function correctShare({ correct }: Result, queries: Iterable<JudgedQuery> = correct.keys()): number {
  const outcomes = Array.from(queries, (query) => correct.get(query) === true);
  return outcomes.filter(Boolean).length / outcomes.length;
}

function costTable(peers: readonly PeerProcess[]): Table {
  return {
    title: 'Load time, and memory of the process after loading',
    columns: ['engine', 'load', 'resident'],
    rows: peers.map(({ name, version, loadMs, residentBytes }) => [
      `${name} ${version}`,
      formatUs(loadMs * 1000),
      /^(PostgreSQL|Sphinx)/.test(name) ? 'in its server' : formatMegabytes(residentBytes),
    ]),
  };
}

function createPanel(title: string, results: readonly Result[]): Panel {
  return {
    title: `${title}: p50 to p99`,
    scale: 'log',
    format: formatUs,
    bars: results.map((result, i) => ({
      label: result.peer.name,
      from: result.p50.median,
      to: result.p99.median,
      note: `${formatUs(result.p50.median)} / ${formatUs(result.p99.median)}, correct ${formatPercent(correctShare(result))}`,
      isOurs: i < 2,
    })),
  };
}
