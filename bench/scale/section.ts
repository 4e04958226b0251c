/** Toponym alone with millions of places: build, size, start, memory and latency. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { BenchData } from '../bench-data.ts';
import { residentBytes } from '../process-usage.ts';
import type { QueryClass } from '../queries.ts';
import {
  formatCount,
  formatLatencies,
  formatMegabytes,
  formatUs,
  type SectionReport,
  skippedSection,
} from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { createState, post, startService } from '../service.ts';
import { hasScaleFiles, PLACES_FILE, REGIONS_FILE } from './gazetteer.ts';
import type { Built } from './run-build.ts';
import type { Searched } from './run-search.ts';

const TITLE = 'Scale';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HEAP = '--max-old-space-size=16384';
const CALLS = 200;

interface Trial {
  readonly name: string;
  readonly built: Built;
  readonly searched: Searched;
  readonly readyMs: number;
  readonly serverBytes: number;
}

export async function measureScale(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const problem = scaleFilesProblem(options);
  if (problem !== undefined) return skippedSection(TITLE, problem);
  const folder = options.places ?? '';
  const trials = [await runTrial('real places', { folder, count: 0, data })];
  for (const count of options.isQuick ? [] : options.synthetic) {
    trials.push(await runTrial(`${formatCount(count)} with synthetic copies`, { folder, count, data }));
  }
  return createReport(trials);
}

/** Why there are no places for a large index; undefined if there are. */
export function scaleFilesProblem({ places }: RunOptions): string | undefined {
  if (places !== undefined && hasScaleFiles(places)) return undefined;
  const got = places === undefined ? 'it is missing' : `${places} has no such files`;
  return `--places must name a folder with ${PLACES_FILE} and ${REGIONS_FILE}; ${got}`;
}

/**
 * Builds an index of all real places (of a folder, or the embedded ones if it is ''), and of synthetic
 * copies until there are `count` places. `root` is the folder of the program, if not this one.
 */
export async function buildScaleIndex(folder: string, count: number, indexFile: string, root?: string): Promise<Built> {
  return (await runScript('run-build.ts', [folder, String(count), indexFile], root)) as Built;
}

/** Writes the queries for such an index. */
export async function writeScaleQueries(folder: string, count: number, queriesFile: string): Promise<void> {
  await runScript('run-queries.ts', [folder, String(count), queriesFile]);
}

async function runTrial(
  name: string,
  { folder, count, data }: { folder: string; count: number; data: BenchData },
): Promise<Trial> {
  const indexFile = join(data.folder, `scale-${count}.toponym`);
  const queriesFile = join(data.folder, `scale-${count}.json`);
  console.log(`  building ${name}`);
  const built = await buildScaleIndex(folder, count, indexFile);
  await writeScaleQueries(folder, count, queriesFile);
  console.log(`  searching ${formatCount(built.places)} places`);
  const searched = (await runScript('run-search.ts', [indexFile, queriesFile])) as Searched;
  const server = await measureServer(data, indexFile, queriesFile);
  rmSync(indexFile);
  return { name, built, searched, ...server };
}

/** Measures the memory after some calls of every query class, with one thread per core. */
async function measureServer({ folder }: BenchData, indexFile: string, queriesFile: string) {
  const state = await createState(folder, indexFile);
  const begin = performance.now();
  const service = await startService(state.folder, indexFile, ['--ip-database', 'none']);
  const readyMs = performance.now() - begin;
  const classes = JSON.parse(readFileSync(queriesFile, 'utf8')) as QueryClass[];
  for (let i = 0; i < CALLS; i++) {
    const query = classes[i % classes.length]!.queries[i]!;
    await post(
      service.url,
      { path: '/api/1/query', body: new URLSearchParams({ query: query.text }).toString() },
      { state },
    );
  }
  const serverBytes = process.platform === 'linux' ? residentBytes(service.pid) : Number.NaN;
  await service.stop();
  return { readyMs, serverBytes };
}

/** Runs a script and parses the last line it prints as JSON. */
async function runScript(file: string, args: readonly string[], root = ROOT): Promise<unknown> {
  const path = join(root, 'bench', 'scale', file);
  const child = spawn(process.execPath, [HEAP, path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${file} ended with code ${code}`);
  const line = output.trim().split('\n').at(-1);
  return line ? JSON.parse(line) : undefined;
}

function createReport(trials: readonly Trial[]): SectionReport {
  const facts: [string, (trial: Trial) => string][] = [
    ['places', ({ built }) => formatCount(built.places)],
    ['names', ({ built }) => formatCount(built.names)],
    ['reading the sources', ({ built }) => formatUs(built.readMs * 1000)],
    ['building and writing', ({ built }) => formatUs(built.buildMs * 1000)],
    ['peak memory of the build', ({ built }) => formatMegabytes(built.peakBytes)],
    ['index file', ({ built }) => formatMegabytes(built.bytes)],
    ['opening (read, verify, first search)', ({ searched }) => formatUs(searched.openMs * 1000)],
    ['server: start to ready', ({ readyMs }) => formatUs(readyMs * 1000)],
    ['server: resident memory', ({ serverBytes }) => formatMegabytes(serverBytes)],
  ];
  return {
    title: TITLE,
    method: [
      "Places are from Who's On First and, for the countries it lacks, the embedded data. Beyond those, they are synthetic copies with two " +
        'letters of each name swapped and coordinates shifted by up to half a degree. The queries are created as for text search.',
    ],
    tables: [
      {
        title: 'Building and serving',
        columns: ['', ...trials.map(({ name }) => name)],
        rows: facts.map(([name, value]) => [name, ...trials.map(value)]),
      },
      {
        title: 'Text search: p50 / p99, correct in top 10',
        columns: ['query class', ...trials.map(({ name }) => name)],
        rows: (trials[0]?.searched.classes ?? []).map(({ name }, i) => [
          name,
          ...trials.map(({ searched }) => formatLatencies(searched.classes[i]!)),
        ]),
      },
    ],
    panels: [],
    skipped: [],
  };
}
