/** Nearest places: latency and wrong results, for one and for twenty neighbours. */
import type { LatLng } from 'toponym-engine/place/sphere';
import { seededRandom } from '../../test/support/seeded-random.ts';
import type { BenchData } from '../bench-data.ts';
import type { Panel } from '../chart.ts';
import { type PeerProcess, startPeers } from '../peer-process.ts';
import type { BenchPlace } from '../places.ts';
import { formatCount, formatUs, type SectionReport, type Table } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { overRounds, type Rounds, type Summary, summarize } from '../statistics.ts';
import { BruteForce } from './brute-force.ts';

const PEERS = ['toponym', 'toponym-containing', 'toponym-ids', 'geokdbush', 'kdt', 'redis', 'postgis'];
/** Names of two peers that are compared in a table of their own. */
const NEAREST = 'Toponym, full records';
const CONTAINING = 'Toponym, containing';
const POINTS = 2000;
/** Brute force takes a millisecond per point. */
const CHECKED = 500;
const NEIGHBORS = [1, 20];

interface Result {
  readonly peer: PeerProcess;
  readonly p50: Rounds;
  readonly p99: Rounds;
  readonly wrong: number;
  readonly checked: number;
}

export async function measureReverse(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const points = createPoints(data.places);
  const truth = new BruteForce(data.places);
  const files = PEERS.map((name) => new URL(`./${name}.ts`, import.meta.url));
  const { peers, skipped } = await startPeers(files, { ...data, inParallel: options.isQuick });
  try {
    const results = new Map<number, Result[]>();
    for (const k of NEIGHBORS) results.set(k, await measureNeighbors(k, { peers, points, truth, options }));
    return createReport(results, skipped);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

/** 40% anywhere on Earth, 40% around places, 10% at a pole, 10% at the antimeridian. */
function createPoints(places: readonly BenchPlace[]): LatLng[] {
  const random = seededRandom(20_260_502);
  const share = () => random(0x4000_0000) / 0x4000_0000;
  const longitude = () => share() * 360 - 180;
  return Array.from({ length: POINTS }, (_, i) => {
    const kind = i % 10;
    if (kind === 0) return { lat: (i % 20 === 0 ? 1 : -1) * (89 + share()), lng: longitude() };
    if (kind === 1) return { lat: share() * 140 - 70, lng: (random(2) === 0 ? 1 : -1) * (179.9 + share() * 0.1) };
    if (kind < 6) {
      const { lat, lng } = places[random(places.length)]!;
      return { lat: lat + share() * 0.2 - 0.1, lng: lng + share() * 0.2 - 0.1 };
    }
    return { lat: (Math.asin(share() * 2 - 1) * 180) / Math.PI, lng: longitude() };
  });
}

async function measureNeighbors(
  k: number,
  {
    peers,
    points,
    truth,
    options,
  }: { peers: readonly PeerProcess[]; points: readonly LatLng[]; truth: BruteForce; options: RunOptions },
): Promise<Result[]> {
  const nearest = points.slice(0, CHECKED).map((at) => truth.nearestMeters(at, k));
  const tallies = new Map(
    peers.map((peer) => [peer, { rounds: [] as Summary[], correct: new Map<number, boolean>() }]),
  );
  for (let round = 0; round < options.rounds; round++) {
    for (const [peer, tally] of tallies) {
      const { latenciesUs, results } = await peer.measure({
        queries: points,
        limit: k,
        budgetMs: options.budgetMs,
      });
      tally.rounds.push(summarize(latenciesUs));
      results.slice(0, CHECKED).forEach((ids, i) => {
        tally.correct.set(i, truth.isCorrect(points[i]!, ids, nearest[i]!));
      });
    }
  }
  return Array.from(tallies, ([peer, { rounds, correct }]) => ({
    peer,
    p50: overRounds(rounds.map(({ p50 }) => p50)),
    p99: overRounds(rounds.map(({ p99 }) => p99)),
    wrong: [...correct.values()].filter((isCorrect) => !isCorrect).length,
    checked: correct.size,
  }));
}

function createReport(results: ReadonlyMap<number, Result[]>, skipped: readonly string[]): SectionReport {
  return {
    title: 'Nearest places',
    method: [
      'Of the points, 40% are anywhere on Earth, 40% around places, 10% within a degree of a pole and 10% at the antimeridian. "Wrong" ' +
        'counts the points, of those checked against brute force on the sphere, where the distance of a place differs from the true ' +
        'distance at its rank by more than a metre.',
    ],
    tables: [
      ...Array.from(results, ([k, each]) => neighborsTable(k, each.filter(isNearest))),
      containingTable(results),
    ],
    panels: Array.from(results, ([k, each]) => createPanel(k, each.filter(isNearest))),
    skipped,
  };
}

function neighborsTable(k: number, results: readonly Result[]): Table {
  return {
    title: formatTitle(k),
    columns: ['engine', 'p50', 'p99', 'wrong', 'checked'],
    rows: results.map(({ peer, p50, p99, wrong, checked }) => [
      `${peer.name} ${peer.version}`,
      formatUs(p50.median),
      formatUs(p99.median),
      formatCount(wrong),
      formatCount(checked),
    ]),
  };
}

function isNearest({ peer }: Result): boolean {
  return peer.name !== CONTAINING;
}

/** Compares the two modes of `reverse`. */
function containingTable(results: ReadonlyMap<number, readonly Result[]>): Table {
  const rows = Array.from(results, ([k, each]) => {
    const [nearest, containing] = [NEAREST, CONTAINING].map((name) => each.find(({ peer }) => peer.name === name)?.p50);
    if (nearest === undefined || containing === undefined) return [String(k), '-', '-', '-'];
    const ratio = containing.median / nearest.median;
    return [String(k), formatUs(nearest.median), formatUs(containing.median), ratio.toFixed(1)];
  });
  return {
    title: 'The place that contains the point, p50',
    columns: ['records', 'nearest', 'containing', 'ratio'],
    rows,
  };
}

function createPanel(k: number, results: readonly Result[]): Panel {
  return {
    title: `${formatTitle(k)}: p50 to p99`,
    scale: 'log',
    format: formatUs,
    bars: results.map(({ peer, p50, p99, wrong, checked }) => ({
      label: peer.name,
      from: p50.median,
      to: p99.median,
      note: `${formatUs(p50.median)} / ${formatUs(p99.median)}, wrong ${wrong} of ${checked}`,
      isOurs: peer.name.startsWith('Toponym'),
    })),
  };
}

function formatTitle(k: number): string {
  return k === 1 ? 'Nearest place' : `${k} nearest places`;
}
