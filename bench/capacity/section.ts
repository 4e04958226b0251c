/** Measures what the model of model.ts needs, compares its predictions with replicas here, and writes its table. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BenchData } from '../bench-data.ts';
import { createRequests, writeRequests } from '../http/requests.ts';
import { type LoadResult, runWrk } from '../http/wrk.ts';
import { cpuUs, residentBytes } from '../process-usage.ts';
import { findProgram } from '../program.ts';
import {
  formatCount,
  formatMegabytes,
  formatPercent,
  formatUs,
  type SectionReport,
  skippedSection,
  type Table,
} from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { PROGRAM, type Service, startService } from '../service.ts';
import { overRounds } from '../statistics.ts';
import { CHOICES, PRICES } from './choices.ts';
import { type Capacity, type Measured, planCapacity, predictCalls } from './model.ts';
import { measureRedis, type RedisCosts, startRedis } from './redis.ts';

const TITLE = 'The model and its figures';
const RATES = [1_000, 10_000, 100_000, 1_000_000];
const REPLICAS = [1, 2, 4];
/** Few enough for each replica's table, and enough that nobody reaches the limit of calls. */
const ADDRESSES = 60_000;
const REPLICA_CONNECTIONS = 8;
/** Share of a core that each of the compared replicas has: four of them leave room for wrk and Redis. */
const CORE_SHARE = 0.15;
const QUOTA_PERIOD_US = 10_000;
const CGROUP = '/sys/fs/cgroup/cpu';
const WARM_UPS = 2;
const MAX_FAILED_SHARE = 0.01;

interface Bench {
  readonly options: RunOptions;
  readonly wrk: string;
  readonly state: string;
  readonly key: string;
  readonly redis: { readonly url: string; readonly pid: number };
  readonly requestsFile: string;
  readonly data: BenchData;
}

interface Compared {
  readonly replicas: number;
  readonly callsPerSecond: number;
  readonly cpuUsPerCall: number;
  readonly redisUsPerCall: number;
  readonly failed: number;
}

export async function measureCapacity(data: BenchData, options: RunOptions): Promise<SectionReport> {
  const [wrk, redisServer] = [findProgram('wrk'), findProgram('redis-server')];
  if (wrk === undefined || redisServer === undefined)
    return skippedSection(TITLE, 'wrk and redis-server are needed (Debian: apt install wrk redis-server)');
  if (process.platform !== 'linux') return skippedSection(TITLE, 'memory is read from /proc, which only Linux has');
  const redis = await startRedis(redisServer);
  try {
    console.log('  Redis');
    const costs = await measureRedis(redis, options.wrkSeconds);
    const state = mkdtempSync(join(data.folder, 'state-'));
    const requestsFile = join(data.folder, 'requests.tsv');
    writeRequests(requestsFile, createRequests(data.places, 0));
    const service = await startReplica({ state, redis, data }, 1);
    const bench: Bench = { options, wrk, state, key: createKey(state, redis.url), redis, requestsFile, data };
    const one = await measureThread(bench, service);
    console.log('  the memory of four threads');
    const fourBytes = await measureMemory(bench, 4);
    const threadBytes = (fourBytes - one.busyBytes) / 3;
    const measured: Measured = {
      ...costs,
      ...one,
      threadBytes,
      baseBytes: one.busyBytes - threadBytes,
      indexBytes: statSync(data.indexFile).size,
    };
    const compared = canLimitProcessors() ? await compareReplicas(bench) : [];
    return createReport({ measured, costs, compared });
  } finally {
    await redis.stop();
  }
}

function createKey(state: string, redisUrl: string): string {
  const args = ['keys', 'create', '--label', 'bench', '--json', '--state', state, '--redis', redisUrl];
  return (JSON.parse(execFileSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' })) as { key: string }).key;
}

function startReplica({ state, redis, data }: Pick<Bench, 'state' | 'redis' | 'data'>, threads: number) {
  const args = ['--threads', String(threads), '--redis', redis.url, '--trusted-proxies', '127.0.0.1'];
  return startService(state, data.indexFile, [...args, '--ip-database', 'none']);
}

function load({ wrk, requestsFile, key, options }: Bench, { url }: Service, connections?: number): Promise<LoadResult> {
  const more = connections === undefined ? {} : { connections };
  return runWrk({ program: wrk, url, requestsFile, key, seconds: options.wrkSeconds, addresses: ADDRESSES, ...more });
}

/** Time, memory and bytes of a service with one thread. Stops it. */
async function measureThread(bench: Bench, service: Service) {
  console.log('  one thread');
  try {
    const runRound = async (round: number) => {
      writeRequests(bench.requestsFile, createRequests(bench.data.places, round));
      const before = cpuUs(service.pid);
      const result = await load(bench, service);
      return { ...result, cpuUs: cpuUs(service.pid) - before };
    };
    for (let i = 1; i <= WARM_UPS; i++) await runRound(-i);
    const rounds: Awaited<ReturnType<typeof runRound>>[] = [];
    for (let i = 0; i < bench.options.rounds; i++) rounds.push(await runRound(i));
    const [calls, failed] = (['requests', 'failed'] as const).map((name) =>
      rounds.reduce((sum, round) => sum + round[name], 0),
    ) as [number, number];
    if (failed > calls * MAX_FAILED_SHARE) throw new Error(`${failed} of ${calls} calls failed: is the machine busy?`);
    const median = (value: (round: (typeof rounds)[number]) => number) => overRounds(rounds.map(value)).median;
    return {
      cpuUsPerCall: median((round) => round.cpuUs / round.requests),
      responseBytes: median((round) => round.bytes / round.requests),
      busyBytes: residentBytes(service.pid),
    };
  } finally {
    await service.stop();
  }
}

/** Memory of a service after as many rounds as that of one thread. */
async function measureMemory(bench: Bench, threads: number): Promise<number> {
  const service = await startReplica(bench, threads);
  try {
    for (let i = 0; i < WARM_UPS + bench.options.rounds; i++) await load(bench, service);
    return residentBytes(service.pid);
  } finally {
    await service.stop();
  }
}

/** Runs replicas of one thread, each of which the kernel gives the same share of a core. */
async function compareReplicas(bench: Bench): Promise<Compared[]> {
  const services: Service[] = [];
  const groups: string[] = [];
  try {
    for (let i = 0; i < Math.max(...REPLICAS); i++) {
      console.log(`  replica ${i + 1}`);
      const service = await startReplica({ ...bench, state: mkdtempSync(join(bench.data.folder, 'state-')) }, 1);
      services.push(service);
      for (let round = 0; round < WARM_UPS; round++) {
        renewRequests(bench);
        await load(bench, service);
      }
    }
    for (const { pid } of services) groups.push(limitProcessor(pid));
    const compared: Compared[] = [];
    for (const replicas of REPLICAS) {
      console.log(`  ${replicas} of them`);
      compared.push(await measureReplicas(bench, services.slice(0, replicas)));
    }
    return compared;
  } finally {
    for (const service of services) await service.stop();
    for (const group of groups) rmdirSync(group);
  }
}

let lastRound = 1000;

/** New queries, which no cache of responses has. */
function renewRequests({ requestsFile, data }: Bench): void {
  writeRequests(requestsFile, createRequests(data.places, ++lastRound));
}

async function measureReplicas(bench: Bench, services: readonly Service[]): Promise<Compared> {
  const pids = services.map(({ pid }) => pid);
  const total = () => pids.reduce((sum, pid) => sum + cpuUs(pid), 0);
  const rounds: Omit<Compared, 'replicas'>[] = [];
  for (let i = 0; i < bench.options.rounds; i++) {
    renewRequests(bench);
    const [before, redisBefore] = [total(), cpuUs(bench.redis.pid)];
    const results = await Promise.all(services.map((service) => load(bench, service, REPLICA_CONNECTIONS)));
    const requests = results.reduce((sum, result) => sum + result.requests, 0);
    rounds.push({
      callsPerSecond: results.reduce((sum, result) => sum + (result.requests / result.durationUs) * 1e6, 0),
      cpuUsPerCall: (total() - before) / requests,
      redisUsPerCall: (cpuUs(bench.redis.pid) - redisBefore) / requests,
      failed: results.reduce((sum, { failed }) => sum + failed, 0),
    });
  }
  const median = (name: keyof (typeof rounds)[number]) => overRounds(rounds.map((round) => round[name])).median;
  return {
    replicas: services.length,
    callsPerSecond: median('callsPerSecond'),
    cpuUsPerCall: median('cpuUsPerCall'),
    redisUsPerCall: median('redisUsPerCall'),
    failed: median('failed'),
  };
}

function canLimitProcessors(): boolean {
  try {
    accessSync(CGROUP, constants.W_OK);
    return existsSync(`${CGROUP}/cgroup.procs`);
  } catch {
    return false;
  }
}

/** Puts a process into a control group (version 1) with a share of a core. Returns the group's folder. */
function limitProcessor(pid: number): string {
  const group = `${CGROUP}/toponym-bench-${pid}`;
  mkdirSync(group);
  writeFileSync(`${group}/cpu.cfs_period_us`, String(QUOTA_PERIOD_US));
  writeFileSync(`${group}/cpu.cfs_quota_us`, String(QUOTA_PERIOD_US * CORE_SHARE));
  writeFileSync(`${group}/cgroup.procs`, String(pid));
  return group;
}

interface Results {
  readonly measured: Measured;
  readonly costs: RedisCosts;
  readonly compared: readonly Compared[];
}

function createReport({ measured, costs, compared }: Results): SectionReport {
  const plans = RATES.map((rate) => [rate, planCapacity(rate, measured, CHOICES)] as const);
  return {
    title: TITLE,
    method: [
      `The table follows from the measured figures below it, and from \`bench/capacity/choices.ts\`: processors are planned to be ${CHOICES.utilisation * 100}% busy, ` +
        `one replica more than needed, ${CHOICES.callsPerAddressAndMinute} calls a minute from an address, ${CHOICES.nodesPerShard} servers for a shard of Redis (${CHOICES.redisMachine.name}), ` +
        `and ${PRICES}: check them. Traffic is that of the load balancer and to the internet.`,
    ],
    tables: [
      planTable(plans),
      fullnessTable(plans),
      measuredTable(measured, costs),
      comparisonTable(measured, compared),
    ],
    panels: [],
    skipped:
      compared.length > 0
        ? []
        : [`the comparison: ${CGROUP} is missing (control groups of version 1, which root can write)`],
  };
}

type Plans = readonly (readonly [rate: number, plan: Capacity])[];

function planTable(plans: Plans): Table {
  const row = (name: string, cell: (plan: Capacity) => string) => [name, ...plans.map(([, plan]) => cell(plan))];
  const total = ({ dollarsPerHour: { replicas, redis, traffic } }: Capacity) => replicas + redis + traffic;
  return {
    title: 'What a rate of calls needs',
    columns: ['calls per second', ...plans.map(([rate]) => formatCount(rate))],
    rows: [
      row('replicas', ({ replicas, machine }) => `${replicas} × ${machine.name}`),
      row('threads of each', ({ threads }) => String(threads)),
      row('memory of each', ({ replicaBytes }) => formatMegabytes(replicaBytes)),
      row('shards of Redis', ({ cells, shards }) => (cells === 1 ? String(shards) : `${cells} × ${shards}`)),
      row('bandwidth', ({ bitsPerSecond }) => formatBits(bitsPerSecond)),
      row('downloads of a new index', ({ indexDownloadBytes }) => formatMegabytes(indexDownloadBytes)),
      row('replicas, by the hour', ({ dollarsPerHour }) => formatDollars(dollarsPerHour.replicas)),
      row('Redis, by the hour', ({ dollarsPerHour }) => formatDollars(dollarsPerHour.redis)),
      row('traffic, by the hour', ({ dollarsPerHour }) => formatDollars(dollarsPerHour.traffic)),
      row('together, by the hour', (plan) => formatDollars(total(plan))),
    ],
  };
}

function fullnessTable(plans: Plans): Table {
  const row = (name: string, part: keyof Capacity['fullness']) => [
    name,
    ...plans.map(([, { fullness }]) => formatPercent(fullness[part])),
  ];
  return {
    title: 'How full each part is then: the fullest one fails first',
    columns: ['calls per second', ...plans.map(([rate]) => formatCount(rate))],
    rows: [
      row('processors of the replicas', 'processors'),
      row('memory of a replica', 'memory'),
      row('counters of addresses in a replica', 'addresses'),
      row('the shard of Redis that has the keys', 'keys'),
      row('memory of Redis', 'redisMemory'),
    ],
  };
}

function measuredTable(measured: Measured, { limitsPerSecond }: RedisCosts): Table {
  return {
    title: 'Measured',
    columns: ['figure', 'value'],
    rows: [
      ['processor time of the service per call, one thread, limits in Redis', formatUs(measured.cpuUsPerCall)],
      ['memory of a busy service without its threads', formatMegabytes(measured.baseBytes)],
      ['memory of each thread', formatMegabytes(measured.threadBytes)],
      ['index', formatMegabytes(measured.indexBytes)],
      ['response with headers', `${formatCount(measured.responseBytes)} bytes`],
      ['processor time of Redis per call of the limit script', formatUs(measured.limitUs)],
      ['calls of the limit script per second and shard, here', formatCount(limitsPerSecond)],
      [
        'calls of the limit script per second and shard, if Redis had a core of its own',
        formatCount(1e6 / measured.limitUs),
      ],
      ['processor time of Redis to say whether keys have changed', formatUs(measured.keyCheckUs)],
      ['memory of Redis per address', `${formatCount(measured.addressBytes)} bytes`],
    ],
  };
}

function comparisonTable(measured: Measured, compared: readonly Compared[]): Table {
  const redisUs = measured.limitUs + measured.keyCheckUs;
  return {
    title: `Prediction and measurement: replicas of one thread with ${CORE_SHARE * 100}% of a core each, of the ${availableParallelism()} cores here`,
    columns: [
      'replicas',
      'calls per second, predicted',
      'measured',
      'difference',
      'processor time per call',
      'of Redis, at most',
      'measured',
      'failed calls',
    ],
    rows: compared.map(({ replicas, callsPerSecond, cpuUsPerCall, redisUsPerCall, failed }) => {
      const predicted = predictCalls(replicas, CORE_SHARE, measured);
      return [
        String(replicas),
        formatCount(predicted),
        formatCount(callsPerSecond),
        formatPercent(callsPerSecond / predicted - 1),
        formatUs(cpuUsPerCall),
        formatUs(redisUs),
        formatUs(redisUsPerCall),
        formatCount(failed),
      ];
    }),
  };
}

function formatBits(perSecond: number): string {
  return perSecond < 1e9 ? `${formatCount(perSecond / 1e6)} Mbit/s` : `${(perSecond / 1e9).toFixed(1)} Gbit/s`;
}

function formatDollars(amount: number): string {
  return `$${amount < 100 ? amount.toFixed(2) : formatCount(amount)}`;
}
