/** The whole service over HTTPS, under load by wrk, beside servers that answer a constant of the same size. */
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BenchData } from '../bench-data.ts';
import { cpuUs } from '../process-usage.ts';
import { findProgram } from '../program.ts';
import { formatCount, formatUs, type SectionReport, skippedSection } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { type Call, createState, post, type ServiceState } from '../service.ts';
import { overRounds, type Rounds } from '../statistics.ts';
import { makeRequests, writeRequests } from './requests.ts';
import { type Server, type ServerInput, startConstant, startNginx, startToponym } from './servers.ts';
import { CONNECTIONS, type LoadResult, runWrk } from './wrk.ts';

const TITLE = 'HTTPS, end to end';
/** Answers whose mean size the constant has. */
const SAMPLED = 400;
/** Which requests are sent besides those of the rounds. */
const SAMPLE = -1;
const REPEATED = -2;
const WARM_UPS = [-3, -4, -5, -6];
const REPEATED_COUNT = 20_000;
const REPEATING_SERVER = 1;

interface Round extends LoadResult {
  readonly cpuUs: number;
}

/** A row of the table: a server, and what it is sent. */
interface Trial {
  readonly name: string;
  readonly server: Server;
  readonly requestsFile: string;
}

export async function measureHttp(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const program = findProgram('wrk');
  if (program === undefined) return skippedSection(TITLE, 'wrk is not installed (Debian: apt install wrk)');
  if (process.platform !== 'linux') return skippedSection(TITLE, 'processor time is read from /proc, so on Linux only');
  const files = { fresh: join(data.folder, 'requests.tsv'), repeated: join(data.folder, 'repeated.tsv') };
  writeRequests(files.repeated, makeRequests(data.places, REPEATED, REPEATED_COUNT));
  const state = await createState(data.folder, data.indexFile);
  const answerFile = join(data.folder, 'answer.json');
  const input: ServerInput = { state, indexFile: data.indexFile, answerFile, folder: data.folder };
  const { servers, skipped, answerBytes } = await startServers(input, makeRequests(data.places, SAMPLE, SAMPLED));
  try {
    const load = { program, key: state.key, seconds: options.wrkSeconds };
    const rounds = new Map<Trial, Round[]>(trialsOf(servers, files).map((trial) => [trial, []]));
    for (const round of WARM_UPS) {
      writeRequests(files.fresh, makeRequests(data.places, round));
      for (const { server, requestsFile } of rounds.keys()) {
        if (server.isOurs || round === WARM_UPS[0]) await runWrk({ ...load, url: server.url, requestsFile });
      }
    }
    for (let round = 0; round < options.rounds; round++) {
      writeRequests(files.fresh, makeRequests(data.places, round));
      for (const [{ server, requestsFile }, results] of rounds) {
        const before = cpuUs(server.pid);
        const result = await runWrk({ ...load, url: server.url, requestsFile });
        results.push({ ...result, cpuUs: cpuUs(server.pid) - before });
      }
    }
    return reportOf([...rounds], answerBytes, skipped);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** All with requests that are other ones each round, but one of ours, with the same again and again. */
function trialsOf(servers: readonly Server[], files: { readonly fresh: string; readonly repeated: string }): Trial[] {
  return servers.map((server, i) => {
    const { name } = server;
    if (i !== REPEATING_SERVER) return { name, server, requestsFile: files.fresh };
    return { name: `${name}, the same ${formatCount(REPEATED_COUNT)}`, server, requestsFile: files.repeated };
  });
}

async function startServers(input: ServerInput, calls: readonly Call[]) {
  const first = await startToponym(input, 1);
  const answerBytes = await writeTypicalAnswer(first.url, calls, input);
  const servers = [first, await startToponym(input, 1), await startToponym(input, 2)];
  servers.push(await startConstant('node', input), await startConstant('fastify', input));
  const nginx = await startNginx(input);
  if (nginx !== undefined) servers.push(nginx);
  return {
    servers,
    answerBytes,
    skipped: nginx === undefined ? ['nginx: not installed (Debian: apt install nginx)'] : [],
  };
}

/** The answer whose size is nearest to the mean of the mix, for the servers that search nothing. */
async function writeTypicalAnswer(url: string, calls: readonly Call[], input: ServerInput): Promise<number> {
  const answers = await askAll(url, calls, input.state);
  const sizes = answers.map((answer) => Buffer.byteLength(answer));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const nearest = sizes.reduce(
    (best, size, i) => (Math.abs(size - mean) < Math.abs(sizes[best]! - mean) ? i : best),
    0,
  );
  writeFileSync(input.answerFile, answers[nearest]!);
  return sizes[nearest]!;
}

async function askAll(url: string, calls: readonly Call[], state: ServiceState): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const answers: string[] = [];
    for (const call of calls) answers.push(await post(url, call, { state, agent }));
    return answers;
  } finally {
    agent.destroy();
  }
}

function reportOf(
  results: readonly (readonly [Trial, readonly Round[]])[],
  answerBytes: number,
  skipped: readonly string[],
): SectionReport {
  const rows = results.map(([{ name, server }, rounds]) => ({
    name,
    server,
    perSecond: overRounds(rounds.map(({ requests, durationUs }) => (requests / durationUs) * 1e6)),
    p50: overRounds(rounds.map(({ p50Us }) => p50Us)),
    p90: overRounds(rounds.map(({ p90Us }) => p90Us)),
    p99: overRounds(rounds.map(({ p99Us }) => p99Us)),
    cpu: overRounds(rounds.map((round) => round.cpuUs / round.requests)),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
  }));
  return {
    title: TITLE,
    method: [
      `wrk with one thread and ${CONNECTIONS} kept TLS connections, each sending its next request when the last is answered; 60% prefixes, ` +
        '25% full names, 10% names with a typo (ten hits each), 5% reverse (twenty hits), all of places drawn by population, other requests in ' +
        `each round; a key without limit. A round of the same length goes before, unmeasured, and for the service ${WARM_UPS.length}: it answers ` +
        'what was asked before from kept answers, as it does for users; in a row of its own it is sent the same requests over and over, and answers nearly all ' +
        'of them so. wrk shares the ' +
        `${availableParallelism()} cores with the servers, so requests a second say less than processor time a request, which is the server's ` +
        `own. The constant answer has ${formatCount(answerBytes)} bytes, the mean of ours. Medians over the rounds.`,
    ],
    tables: [
      {
        title: 'Requests a second, latency, processor time of the server',
        columns: ['server', 'requests/s', 'spread', 'p50', 'p90', 'p99', 'CPU a request', 'failed'],
        rows: rows.map(({ name, perSecond, p50, p90, p99, cpu, failed }) => [
          name,
          formatCount(perSecond.median),
          spreadOf(perSecond),
          formatUs(p50.median),
          formatUs(p90.median),
          formatUs(p99.median),
          formatUs(cpu.median),
          formatCount(failed),
        ]),
      },
    ],
    panels: [
      {
        title: 'HTTPS: requests a second',
        scale: 'linear',
        format: formatCount,
        bars: rows.map(({ name, server, perSecond, cpu }) => ({
          label: name,
          from: 0,
          to: perSecond.median,
          note: `${formatCount(perSecond.median)}, CPU ${formatUs(cpu.median)} a request`,
          isOurs: server.isOurs,
        })),
      },
    ],
    skipped,
  };
}

function spreadOf({ least, most }: Rounds): string {
  return `${formatCount(least)} to ${formatCount(most)}`;
}
