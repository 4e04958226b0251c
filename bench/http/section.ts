/** The whole service over HTTPS under load by wrk, compared with servers of a constant response. */
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
import { overRounds } from '../statistics.ts';
import { createRequests, writeRequests } from './requests.ts';
import { type Server, type ServerInput, startConstant, startNginx, startToponym } from './servers.ts';
import { CONNECTIONS, type LoadResult, runWrk } from './wrk.ts';

const TITLE = 'HTTPS, end to end';
/** Number of responses whose mean size the constant response has. */
const SAMPLED = 400;
/** Numbers of the request sets that are not of a measured round. */
const SAMPLE = -1;
const REPEATED = -2;
const WARM_UPS = [-3, -4, -5, -6];
const REPEATED_COUNT = 20_000;
const REPEATING_SERVER = 1;

interface Round extends LoadResult {
  readonly cpuUs: number;
}

/** A row of the table: a server and its requests. */
interface Trial {
  readonly name: string;
  readonly server: Server;
  readonly requestsFile: string;
}

export async function measureHttp(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const program = findProgram('wrk');
  if (program === undefined) return skippedSection(TITLE, 'wrk is not installed (Debian: apt install wrk)');
  if (process.platform !== 'linux')
    return skippedSection(TITLE, 'processor time is read from /proc, which only Linux has');
  const files = { fresh: join(data.folder, 'requests.tsv'), repeated: join(data.folder, 'repeated.tsv') };
  writeRequests(files.repeated, createRequests(data.places, REPEATED, REPEATED_COUNT));
  const state = await createState(data.folder, data.indexFile);
  const responseFile = join(data.folder, 'response.json');
  const input: ServerInput = { state, indexFile: data.indexFile, responseFile, folder: data.folder };
  const { servers, skipped, responseBytes } = await startServers(input, createRequests(data.places, SAMPLE, SAMPLED));
  try {
    const load = { program, key: state.key, seconds: options.wrkSeconds };
    const rounds = new Map<Trial, Round[]>(createTrials(servers, files).map((trial) => [trial, []]));
    for (const round of WARM_UPS) {
      writeRequests(files.fresh, createRequests(data.places, round));
      for (const { server, requestsFile } of rounds.keys()) {
        if (server.isOurs || round === WARM_UPS[0]) await runWrk({ ...load, url: server.url, requestsFile });
      }
    }
    for (let round = 0; round < options.rounds; round++) {
      writeRequests(files.fresh, createRequests(data.places, round));
      for (const [{ server, requestsFile }, results] of rounds) {
        const before = cpuUs(server.pid);
        const result = await runWrk({ ...load, url: server.url, requestsFile });
        results.push({ ...result, cpuUs: cpuUs(server.pid) - before });
      }
    }
    return createReport([...rounds], responseBytes, skipped);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** All servers get new requests in each round, except for one Toponym server. */
function createTrials(
  servers: readonly Server[],
  files: { readonly fresh: string; readonly repeated: string },
): Trial[] {
  return servers.map((server, i) => {
    const { name } = server;
    if (i !== REPEATING_SERVER) return { name, server, requestsFile: files.fresh };
    return { name: `${name}, repeated`, server, requestsFile: files.repeated };
  });
}

async function startServers(input: ServerInput, calls: readonly Call[]) {
  const first = await startToponym(input, 1);
  const responseBytes = await writeTypicalResponse(first.url, calls, input);
  const servers = [first, await startToponym(input, 1), await startToponym(input, 2)];
  servers.push(await startConstant('node', input), await startConstant('fastify', input));
  const nginx = await startNginx(input);
  if (nginx !== undefined) servers.push(nginx);
  return {
    servers,
    responseBytes,
    skipped: nginx === undefined ? ['nginx: not installed (Debian: apt install nginx)'] : [],
  };
}

/** Writes the response whose size is closest to the mean, for the servers that do not search. */
async function writeTypicalResponse(url: string, calls: readonly Call[], input: ServerInput): Promise<number> {
  const responses = await postAll(url, calls, input.state);
  const sizes = responses.map((response) => Buffer.byteLength(response));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const nearest = sizes.reduce(
    (best, size, i) => (Math.abs(size - mean) < Math.abs(sizes[best]! - mean) ? i : best),
    0,
  );
  writeFileSync(input.responseFile, responses[nearest]!);
  return sizes[nearest]!;
}

async function postAll(url: string, calls: readonly Call[], state: ServiceState): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const responses: string[] = [];
    for (const call of calls) responses.push(await post(url, call, { state, agent }));
    return responses;
  } finally {
    agent.destroy();
  }
}

function createReport(
  results: readonly (readonly [Trial, readonly Round[]])[],
  responseBytes: number,
  skipped: readonly string[],
): SectionReport {
  const rows = results.map(([{ name, server }, rounds]) => ({
    name,
    server,
    perSecond: overRounds(rounds.map(({ requests, durationUs }) => (requests / durationUs) * 1e6)),
    p50: overRounds(rounds.map(({ p50Us }) => p50Us)),
    p99: overRounds(rounds.map(({ p99Us }) => p99Us)),
    cpu: overRounds(rounds.map((round) => round.cpuUs / round.requests)),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
  }));
  return {
    title: TITLE,
    method: [
      `wrk uses one thread and ${CONNECTIONS} persistent TLS connections, each of which sends its next request after a response. The requests are 60% prefixes, ` +
        '25% full names and 10% names with a typo (ten hits each), and 5% reverse (twenty hits), of places drawn by population. Each round ' +
        'has different requests. The key has no rate limit.',
      `Toponym has ${WARM_UPS.length} warm-up rounds, the others one. The row "repeated" sends the same ${formatCount(REPEATED_COUNT)} requests ` +
        'in every round, which the response cache serves. ' +
        `wrk shares the ${availableParallelism()} cores with the servers, so processor time per request says more than requests per second. ` +
        `The constant response has ${formatCount(responseBytes)} bytes, the mean of Toponym. Figures are medians over the rounds.`,
    ],
    tables: [
      {
        title: 'Requests per second, latency and processor time of the server',
        columns: ['server', 'requests/s', 'p50', 'p99', 'CPU per request', 'failed'],
        rows: rows.map(({ name, perSecond, p50, p99, cpu, failed }) => [
          name,
          formatCount(perSecond.median),
          formatUs(p50.median),
          formatUs(p99.median),
          formatUs(cpu.median),
          formatCount(failed),
        ]),
      },
    ],
    panels: [
      {
        title: 'HTTPS: requests per second',
        scale: 'linear',
        format: formatCount,
        bars: rows.map(({ name, server, perSecond, cpu }) => ({
          label: name,
          from: 0,
          to: perSecond.median,
          note: `${formatCount(perSecond.median)}, CPU ${formatUs(cpu.median)} per request`,
          isOurs: server.isOurs,
        })),
      },
    ],
    skipped,
  };
}
