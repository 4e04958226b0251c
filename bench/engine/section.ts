/** Text search: latency and the share of right answers, by class of query, for ours and the peers. */
import type { BenchData } from '../bench-data.ts';
import type { Panel } from '../chart.ts';
import { isRight } from '../judge.ts';
import type { PeerProcess } from '../peer-process.ts';
import { startPeers } from '../peer-process.ts';
import { type JudgedQuery, makeQueryClasses, type QueryClass } from '../queries.ts';
import { formatCount, formatMegabytes, formatPercent, formatUs, type SectionReport, type Table } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { overRounds, type Rounds, type Summary, summarize } from '../statistics.ts';
import { measureLetters } from './letters.ts';

const QUERIES = 2000;
const LIMIT = 10;
const PEERS = [
  'toponym',
  'toponym-answers',
  'minisearch',
  'flexsearch',
  'orama',
  'ufuzzy',
  'sqlite',
  'postgres',
  'sphinx',
];

/** One peer on one class, over all rounds. */
interface Result {
  readonly peer: PeerProcess;
  readonly p50: Rounds;
  readonly p99: Rounds;
  readonly mean: Rounds;
  /** For each question that was asked, whether the answer was right. */
  readonly right: ReadonlyMap<JudgedQuery, boolean>;
}

export async function measureEngine(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const classes = makeQueryClasses(data.places, QUERIES);
  const files = PEERS.map((name) => new URL(`./${name}.ts`, import.meta.url));
  const { peers, skipped } = await startPeers(files, { ...data, isAtOnce: options.isQuick });
  try {
    const results = new Map<QueryClass, Result[]>();
    for (const each of classes) {
      console.log(`  ${each.name}`);
      results.set(each, await measureClass(each, { peers, data, options }));
    }
    console.log('  letters typed');
    const letters = await measureLetters(peers, { data, options });
    return reportOf(results, { peers, skipped, letters, isQuick: options.isQuick });
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

async function measureClass(
  { queries }: QueryClass,
  { peers, data, options }: { peers: readonly PeerProcess[]; data: BenchData; options: RunOptions },
): Promise<Result[]> {
  const tallies = new Map(
    peers.map((peer) => [peer, { rounds: [] as Summary[], right: new Map<JudgedQuery, boolean>() }]),
  );
  const placeOf = new Map(data.places.map((place) => [place.id, place]));
  for (let round = 0; round < options.rounds; round++) {
    // each round begins elsewhere, so that slow peers are asked other questions in each
    const asked = rotate(queries, Math.floor((round * queries.length) / options.rounds));
    const sent = asked.map(({ text, near }) => ({ text, near }));
    for (const [peer, tally] of tallies) {
      const { latenciesUs, answers } = await peer.measure({ queries: sent, limit: LIMIT, budgetMs: options.budgetMs });
      tally.rounds.push(summarize(latenciesUs));
      answers.forEach((ids, i) => {
        const hits = ids.map((id) => placeOf.get(id));
        tally.right.set(asked[i]!, isRight(asked[i]!, hits));
      });
    }
  }
  return Array.from(tallies, ([peer, { rounds, right }]) => ({
    peer,
    p50: overRounds(rounds.map(({ p50 }) => p50)),
    p99: overRounds(rounds.map(({ p99 }) => p99)),
    mean: overRounds(rounds.map(({ mean }) => mean)),
    right,
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

function reportOf(
  results: ReadonlyMap<QueryClass, Result[]>,
  { peers, skipped, letters, isQuick }: ReportParts,
): SectionReport {
  const classes = [...results.entries()];
  return {
    title: 'Text search',
    method: [
      'The same places for all (GeoNames cities500), the same questions (made by a seeded generator from those places, typed in ' +
        'lower case without accents), each engine in a process of its own, rounds interleaved. Every engine answers with the ids of ' +
        'its first ten places; of ours a second row has the whole answer written besides. Figures are medians over the rounds; the spread is the least and greatest p50 of a round. Before each round an engine answers for a fifth of its time unmeasured; ours keeps what up to three letters find, half of the prefixes, from then on. Slow engines answer ' +
        'fewer of the questions in the time they have, fast ones all of them up to ten times (every engine begins a round at the same question); where a round has fewer than ' +
        '100, p99 is its worst one. "Ours, same questions": the share of right answers of Toponym on those that the engine came to.',
      '"Right": the place the question was made from is among the first ten, or one of the same name (with a region: of that ' +
        'region; with a point: within 50 km) that the question cannot tell from it. Of a prefix of one or two letters no engine can know ' +
        'which of thousands of places is meant; there the figure compares orders, and 100% is out of reach.',
    ],
    tables: [
      ...classes.map(([{ name, describe }, each]) => classTable(`${name}: ${describe}`, each)),
      letters,
      ...(isQuick ? [] : [costTable(peers)]),
      {
        title: 'What each engine indexes, and its settings',
        columns: ['engine', 'settings'],
        rows: peers.map(({ name, version, settings }) => [`${name} ${version}`, settings]),
        isText: true,
      },
    ],
    panels: classes.map(([{ name }, each]) => panelOf(name, each)),
    skipped,
  };
}

function classTable(title: string, results: readonly Result[]): Table {
  const ours = results[0]!;
  return {
    title,
    columns: [
      'engine',
      'p50',
      'p99',
      'mean',
      'spread of p50',
      'right in first ten',
      'ours, same questions',
      'questions',
    ],
    rows: results.map((result) => {
      const { peer, p50, p99, mean, right } = result;
      return [
        peer.name,
        formatUs(p50.median),
        formatUs(p99.median),
        formatUs(mean.median),
        `${formatUs(p50.least)} to ${formatUs(p50.most)}`,
        formatPercent(rightShare(result)),
        formatPercent(rightShare(ours, right.keys())),
        formatCount(right.size),
      ];
    }),
  };
}

/** Of the questions given, or of all that were asked. */
function rightShare({ right }: Result, questions: Iterable<JudgedQuery> = right.keys()): number {
  const answers = Array.from(questions, (question) => right.get(question) === true);
  return answers.filter(Boolean).length / answers.length;
}

function costTable(peers: readonly PeerProcess[]): Table {
  return {
    title: 'Loading, and memory of the process once loaded',
    columns: ['engine', 'load', 'resident'],
    rows: peers.map(({ name, loadMs, residentBytes }) => [
      name,
      formatUs(loadMs * 1000),
      /^(PostgreSQL|Sphinx)/.test(name) ? 'in its server' : formatMegabytes(residentBytes),
    ]),
  };
}

function panelOf(title: string, results: readonly Result[]): Panel {
  return {
    title: `${title}: p50 to p99`,
    scale: 'log',
    format: formatUs,
    bars: results.map((result, i) => ({
      label: result.peer.name,
      from: result.p50.median,
      to: result.p99.median,
      note: `${formatUs(result.p50.median)} / ${formatUs(result.p99.median)}, right ${formatPercent(rightShare(result))}`,
      isOurs: i < 2,
    })),
  };
}
