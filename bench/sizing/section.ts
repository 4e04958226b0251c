/** Memory and calls per second by places and threads, for operators who choose a machine. */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BenchData } from '../bench-data.ts';
import { createRequests, writeRequests } from '../http/requests.ts';
import { CONNECTIONS, runWrk } from '../http/wrk.ts';
import { cpuUs, residentBytes } from '../process-usage.ts';
import { findProgram } from '../program.ts';
import { formatCount, formatMegabytes, formatUs, type SectionReport, skippedSection } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { buildScaleIndex, scaleFilesProblem } from '../scale/section.ts';
import { createState, type ServiceState, startService } from '../service.ts';
import { overRounds } from '../statistics.ts';

const TITLE = 'Sizing';
const THREADS = [1, 2, 4];
const WARM_UPS = 2;

interface Measured {
  readonly places: number;
  readonly threads: number;
  readonly idleBytes: number;
  readonly busyBytes: number;
  readonly callsPerSecond: number;
  readonly cpuUsPerCall: number;
  readonly p99Us: number;
  readonly failed: number;
}

export async function measureSizing(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const program = findProgram('wrk');
  if (program === undefined) return skippedSection(TITLE, 'wrk is not installed (Debian: apt install wrk)');
  if (process.platform !== 'linux') return skippedSection(TITLE, 'memory is read from /proc, which only Linux has');
  const rows: Measured[] = [];
  const measure = async (places: number, indexFile: string) => {
    const state = await createState(data.folder, indexFile);
    for (const threads of THREADS) {
      console.log(`  ${formatCount(places)} places, ${threads} threads`);
      rows.push({ places, threads, ...(await measureService({ data, options, program, state, indexFile }, threads)) });
    }
  };
  await measure(data.places.length, data.indexFile);
  const problem = scaleFilesProblem(options);
  for (const count of problem === undefined ? [0, ...options.synthetic] : []) {
    const indexFile = join(data.folder, `sizing-${count}.toponym`);
    const built = await buildScaleIndex(options.places ?? '', count, indexFile);
    await measure(built.places, indexFile);
    rmSync(indexFile);
  }
  return createReport(rows, problem);
}

interface Input {
  readonly data: BenchData;
  readonly options: RunOptions;
  readonly program: string;
  readonly state: ServiceState;
  readonly indexFile: string;
}

async function measureService({ data, options, program, state, indexFile }: Input, threads: number) {
  const requestsFile = join(data.folder, 'requests.tsv');
  const service = await startService(state.folder, indexFile, ['--threads', String(threads)]);
  try {
    const idleBytes = residentBytes(service.pid);
    const runRound = async (round: number) => {
      writeRequests(requestsFile, createRequests(data.places, round));
      const before = cpuUs(service.pid);
      const load = { program, url: service.url, requestsFile, key: state.key, seconds: options.wrkSeconds };
      const result = await runWrk(load);
      return { ...result, cpuUs: cpuUs(service.pid) - before };
    };
    for (let i = 1; i <= WARM_UPS; i++) await runRound(-i);
    const rounds: Awaited<ReturnType<typeof runRound>>[] = [];
    for (let i = 0; i < options.rounds; i++) rounds.push(await runRound(i));
    return {
      idleBytes,
      busyBytes: residentBytes(service.pid),
      callsPerSecond: overRounds(rounds.map(({ requests, durationUs }) => (requests / durationUs) * 1e6)).median,
      cpuUsPerCall: overRounds(rounds.map((round) => round.cpuUs / round.requests)).median,
      p99Us: overRounds(rounds.map(({ p99Us }) => p99Us)).median,
      failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    };
  } finally {
    await service.stop();
  }
}

function createReport(rows: readonly Measured[], problem: string | undefined): SectionReport {
  return {
    title: TITLE,
    method: [
      `The service over TLS, with its IP data, and the requests of the HTTPS section over ${CONNECTIONS} connections. wrk shares the ` +
        `${availableParallelism()} cores with the service. Memory is resident memory, right after the start and after all rounds.`,
    ],
    tables: [
      {
        title: 'Memory and calls per second',
        columns: [
          'places',
          'threads',
          'memory idle',
          'memory busy',
          'calls per second',
          'processor time per call',
          'p99',
          'failed calls',
        ],
        rows: rows.map((row) => [
          formatCount(row.places),
          String(row.threads),
          formatMegabytes(row.idleBytes),
          formatMegabytes(row.busyBytes),
          formatCount(row.callsPerSecond),
          formatUs(row.cpuUsPerCall),
          formatUs(row.p99Us),
          formatCount(row.failed),
        ]),
      },
    ],
    panels: [],
    skipped: problem === undefined ? [] : [`larger data: ${problem}`],
  };
}
