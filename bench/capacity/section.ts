/** Measures what the model of model.ts needs, compares its predictions with replicas here, and writes its table. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BenchData } from '../bench-data.ts';
import { createRequests, writeRequests } from '../http/requests.ts';
import { type LoadResult, runWrk } from '../http/wrk.ts';
import { cpuUs, machineCpuUs, residentBytes } from '../process-usage.ts';
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

type Load = Awaited<ReturnType<typeof load>>;

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
    const bench: Bench = { options, wrk, state, key: createKey(state, redis.url), redis, requestsFile, data };
    const oneBytes = await measureMemory(bench, 1);
    const threadBytes = ((await measureMemory(bench, 4)) - oneBytes) / 3;
    const [input, ...compared] = await measureReplicas(bench, [1, ...REPLICAS]);
    const measured: Measured = {
      ...costs,
      cpuUsPerCall: input!.cpuUsPerCall,
      responseBytes: input!.responseBytes,
      threadBytes,
      baseBytes: oneBytes - threadBytes,
      indexBytes: statSync(data.indexFile).size,
    };
    return createReport({ measured, input: input!, costs, compared });
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

/** Memory of a busy service. */
async function measureMemory(bench: Bench, threads: number): Promise<number> {
  console.log(`  the memory of ${threads} thread(s)`);
  const service = await startReplica(bench, threads);
  try {
    for (let i = 0; i < WARM_UPS + bench.options.rounds; i++) await load(bench, [service]);
    return residentBytes(service.pid);
  } finally {
    await service.stop();
  }
}

/** Loads each number of replicas in turns, so that all see the same changes of the machine. */
async function measureReplicas(bench: Bench, counts: readonly number[]): Promise<Load[]> {
  const services: Service[] = [];
  try {
    for (let i = 0; i < Math.max(...counts); i++) {
      console.log(`  replica ${i + 1}`);
      const service = await startReplica({ ...bench, state: mkdtempSync(join(bench.data.folder, 'state-')) }, 1);
      services.push(service);
      for (let round = 0; round < WARM_UPS; round++) await load(bench, [service]);
    }
    const loads: Load[][] = counts.map(() => []);
    for (let round = 0; round < bench.options.rounds; round++) {
      console.log(`  ${counts.join(', ')} replicas, round ${round + 1}`);
      for (const [i, count] of counts.entries()) loads[i]?.push(await load(bench, services.slice(0, count)));
    }
    return loads.map(medianLoad);
  } finally {
    for (const service of services) await service.stop();
  }
}

let requestSeed = 0;

/** Sends each service new queries, which no cache of responses has. */
async function load({ wrk, key, requestsFile, data, redis, options }: Bench, services: readonly Service[]) {
  writeRequests(requestsFile, createRequests(data.places, requestSeed++));
  const readCpu = () => [services.reduce((sum, { pid }) => sum + cpuUs(pid), 0), cpuUs(redis.pid), machineCpuUs()];
  const before = readCpu();
  const settings = { program: wrk, requestsFile, key, seconds: options.wrkSeconds, addresses: ADDRESSES };
  const results = await Promise.all(services.map(({ url }) => runWrk({ ...settings, url })));
  const total = (value: (result: LoadResult) => number) => results.reduce((sum, result) => sum + value(result), 0);
  const [requests, failed] = [total((result) => result.requests), total((result) => result.failed)];
  if (failed > requests * MAX_FAILED_SHARE)
    throw new Error(`${failed} of ${requests} calls failed: is the machine busy?`);
  const [cpuUsPerCall, redisUsPerCall, machineUsPerCall] = readCpu().map((us, i) => (us - before[i]!) / requests);
  return {
    callsPerSecond: total((result) => (result.requests / result.durationUs) * 1e6),
    cpuUsPerCall: cpuUsPerCall!,
    redisUsPerCall: redisUsPerCall!,
    machineUsPerCall: machineUsPerCall!,
    responseBytes: total(({ bytes }) => bytes) / requests,
  };
}

function medianLoad(loads: readonly Load[]): Load {
  const median = (name: keyof Load) => [name, overRounds(loads.map((each) => each[name])).median];
  return Object.fromEntries((Object.keys(loads[0]!) as (keyof Load)[]).map(median)) as unknown as Load;
}

interface Results {
  readonly measured: Measured;
  /** Of the one replica from whose figures the others are predicted. */
  readonly input: Load;
  readonly costs: RedisCosts;
  readonly compared: readonly Load[];
}

function createReport({ measured, input, costs, compared }: Results): SectionReport {
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
      measuredTable(measured, input.machineUsPerCall, costs),
      comparisonTable(costs, input, compared),
    ],
    panels: [],
    skipped: [],
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

function measuredTable(measured: Measured, machineUsPerCall: number, { limitsPerSecond }: RedisCosts): Table {
  return {
    title: 'Measured',
    columns: ['figure', 'value'],
    rows: [
      ['processor time of the service per call, one thread, limits in Redis', formatUs(measured.cpuUsPerCall)],
      ['of the whole machine, with Redis and wrk', formatUs(machineUsPerCall)],
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

function comparisonTable({ limitUs, keyCheckUs }: RedisCosts, input: Load, compared: readonly Load[]): Table {
  const cores = availableParallelism();
  return {
    title: `Prediction and measurement: replicas of one thread, with Redis and wrk on the ${cores} cores here`,
    columns: [
      'replicas',
      'calls per second, predicted',
      'measured',
      'difference',
      'processor time per call, predicted',
      'measured',
      'of Redis, at most',
      'measured',
    ],
    rows: compared.map((measured, i) => {
      const predicted = predictCalls(REPLICAS[i]!, cores, input.cpuUsPerCall, input.machineUsPerCall);
      return [
        String(REPLICAS[i]),
        formatCount(predicted),
        formatCount(measured.callsPerSecond),
        formatPercent(measured.callsPerSecond / predicted - 1),
        formatUs(input.cpuUsPerCall),
        formatUs(measured.cpuUsPerCall),
        formatUs(limitUs + keyCheckUs),
        formatUs(measured.redisUsPerCall),
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
