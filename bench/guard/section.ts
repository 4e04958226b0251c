/**
 * Has a change made anything slower? Runs an older commit and this folder in turns: building, searches
 * with 200,000 and with two million places, and HTTPS. The large index is built once and kept as long as
 * both can open it. Commits without this section cannot be compared: they cannot build its indexes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { linkPackages } from '../../scripts/link-packages.ts';
import type { BenchData } from '../bench-data.ts';
import { createRequests, writeRequests } from '../http/requests.ts';
import { runWrk } from '../http/wrk.ts';
import type { Measured } from '../peer-messages.ts';
import { type PeerProcess, startPeer } from '../peer-process.ts';
import { cpuUs } from '../process-usage.ts';
import { findProgram } from '../program.ts';
import { createQueryClasses, type QueryClass } from '../queries.ts';
import { formatMegabytes, formatPercent, formatUs, type SectionReport } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { buildScaleIndex, writeScaleQueries } from '../scale/section.ts';
import { overRounds, type Summary, summarize } from '../statistics.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Keeps the large indexes and their queries. Git ignores it. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'toponym-guard');
const LARGE_COUNT = 2_000_000;
const QUERIES = 1000;
const LIMIT = 10;
const ROUNDS = 3;
const BUDGET_MS = 600;
const WRK_SECONDS = 2;

/** Values of the older commit and of this folder. */
type Pair<T> = readonly [then: T, now: T];

interface Tree {
  readonly root: string;
  readonly indexFile: string;
}

export async function measureGuard(data: BenchData, { against, places }: RunOptions): Promise<SectionReport> {
  const older = join(data.folder, 'older');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', older, against], { cwd: ROOT });
  const skipped: string[] = [];
  try {
    install(older);
    console.log('  building');
    const [then, now] = [await build(older, data), await build(ROOT, data)];
    const rows = [
      row('building the embedded index', [then.ms * 1000, now.ms * 1000]),
      row('peak memory of building', [then.peakBytes, now.peakBytes], { format: formatMegabytes }),
    ];
    const searches = [await startSearch(then.tree), await startSearch(now.tree)] as const;
    rows.push(...(await compareSearches('200,000', searches, createQueryClasses(data.places, QUERIES))));
    const large = await startLargeSearches(older, places ?? '');
    rows.push(...(await compareSearches('2 million', large.searches, large.classes)));
    const wrk = findProgram('wrk');
    if (wrk === undefined) skipped.push('HTTPS: wrk is not installed (Debian: apt install wrk)');
    else rows.push(...(await compareHttp(wrk, [then.tree, now.tree], data)));
    const columns = ['', 'then', 'now', 'now / then', 'same results'];
    return {
      title: 'Guard',
      method: [],
      tables: [{ title: `This folder and ${against}`, columns, rows }],
      panels: [],
      skipped,
    };
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', older], { cwd: ROOT });
  }
}

/** Uses the packages of this folder if the older commit has the same, which is faster. */
function install(older: string): void {
  const [then, now] = [older, ROOT].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (then === now) linkPackages(ROOT, older);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: older, stdio: 'inherit' });
}

/** Builds the index of the embedded places with the program of a folder. */
async function build(root: string, { folder }: BenchData) {
  const indexFile = join(folder, root === ROOT ? 'now.toponym' : 'then.toponym');
  const { readMs, buildMs, peakBytes } = await buildScaleIndex('', 0, indexFile, root);
  return { tree: { root, indexFile }, ms: readMs + buildMs, peakBytes };
}

/** A search process of each folder, with all real places of `folder` or with synthetic ones. */
async function startLargeSearches(older: string, folder: string) {
  mkdirSync(CACHE, { recursive: true });
  const name = folder === '' ? 'synthetic' : `places-${crc32(resolve(folder)).toString(16)}`;
  const count = folder === '' ? LARGE_COUNT : 0;
  const queriesFile = join(CACHE, `${name}.json`);
  if (!existsSync(queriesFile)) await writeScaleQueries(folder, count, queriesFile);
  const open = async (root: string, indexFile: string) => {
    const kept = existsSync(indexFile) ? await startSearch({ root, indexFile }).catch(() => undefined) : undefined;
    if (kept !== undefined) return kept;
    console.log(`  building ${indexFile}, which takes minutes and is kept`);
    await buildScaleIndex(folder, count, indexFile, root);
    return startSearch({ root, indexFile });
  };
  const indexFile = join(CACHE, `${name}.toponym`);
  const now = await open(ROOT, indexFile);
  // the older commit gets an index of its own only if it cannot open ours
  const then = await startSearch({ root: older, indexFile }).catch(() =>
    open(older, join(CACHE, `${name}-older.toponym`)),
  );
  return { searches: [then, now] as const, classes: JSON.parse(readFileSync(queriesFile, 'utf8')) as QueryClass[] };
}

/** Starts a process that searches and writes full responses, with the code of a folder. */
async function startSearch({ root, indexFile }: Tree): Promise<PeerProcess> {
  const peer = pathToFileURL(join(root, 'bench', 'engine', 'toponym-responses.ts'));
  const started = await startPeer(peer, { placesFile: '', indexFile });
  if (typeof started === 'string') throw new Error(started);
  return started;
}

async function compareSearches(size: string, searches: Pair<PeerProcess>, classes: readonly QueryClass[]) {
  const rows: string[][] = [];
  for (const { name, queries } of classes) {
    console.log(`  ${size} places: ${name}`);
    const sent = queries.slice(0, QUERIES).map(({ text, near }) => ({ text, near }));
    const rounds: Pair<Measured>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const measure = { queries: sent, limit: LIMIT, budgetMs: BUDGET_MS };
      rounds.push([await searches[0].measure(measure), await searches[1].measure(measure)]);
    }
    const same = sameResults(rounds[0]!);
    const summaries = rounds.map(summarizePair);
    for (const figure of ['p50', 'p99'] as const) {
      const median = (i: 0 | 1) => overRounds(summaries.map((pair) => pair[i][figure])).median;
      rows.push(row(`${size}: ${name}, ${figure}`, [median(0), median(1)], { same }));
    }
  }
  for (const search of searches) await search.stop();
  return rows;
}

/** The faster one reached more queries: the others do not count. */
function summarizePair([then, now]: Pair<Measured>): Pair<Summary> {
  const count = Math.min(then.latenciesUs.length, now.latenciesUs.length);
  return [summarize(then.latenciesUs.subarray(0, count)), summarize(now.latenciesUs.subarray(0, count))];
}

/** Share of the queries with the same ids in the same order. */
function sameResults([then, now]: Pair<Measured>): number {
  const count = Math.min(then.results.length, now.results.length);
  const same = then.results.slice(0, count).filter((ids, i) => ids.join() === now.results[i]!.join());
  return same.length / count;
}

/** Processor time per request of one thread, whose requests are new in every round. */
async function compareHttp(program: string, trees: Pair<Tree>, data: BenchData) {
  console.log('  HTTPS');
  const requestsFile = join(data.folder, 'guard.tsv');
  const services = await Promise.all(trees.map((tree) => startHttp(tree, data)));
  const rounds: number[][] = [[], []];
  for (let round = -2; round < ROUNDS; round++) {
    writeRequests(requestsFile, createRequests(data.places, round));
    for (const [i, { url, pid, key }] of services.entries()) {
      const before = cpuUs(pid);
      const { requests } = await runWrk({ program, url, requestsFile, key, seconds: WRK_SECONDS });
      if (round >= 0) rounds[i]!.push((cpuUs(pid) - before) / requests);
    }
  }
  for (const service of services) await service.stop();
  const [then, now] = rounds.map((each) => overRounds(each).median);
  return [row('HTTPS, processor time of a request', [then!, now!])];
}

async function startHttp({ root, indexFile }: Tree, { folder }: BenchData) {
  const module = pathToFileURL(join(root, 'bench', 'service.ts')).href;
  const { createState, startService } = (await import(module)) as typeof import('../service.ts');
  const { key, folder: state } = await createState(folder, indexFile);
  return { key, ...(await startService(state, indexFile, ['--threads', '1', '--ip-database', 'none'])) };
}

function row(
  name: string,
  [then, now]: Pair<number>,
  { format = formatUs, same }: { format?: (value: number) => string; same?: number } = {},
): string[] {
  return [name, format(then), format(now), (now / then).toFixed(2), same === undefined ? '' : formatPercent(same)];
}
