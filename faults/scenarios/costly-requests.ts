/** Floods of requests that are made to cost as much as possible before they are refused, or in one piece. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ADAPTER_NAMES } from 'toponym-server/compat/compat-settings';
import { formatCount } from '../../bench/report.ts';
import { waitUntil } from '../../test/support/deadline.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atMost, exactly, figure, formatMs, ifAlone } from '../checks.ts';
import { RawConnection } from '../http/raw-connection.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService } from '../service.ts';

const CLIENTS = fileURLToPath(new URL('../clients/flood-clients.ts', import.meta.url));
const SECONDS = { full: 5, short: 0.2 };
const CONNECTIONS = 8;
const URL_BYTES = 15_000;
const MAX_WAIT_MS = 100;
const MAX_COST_MS = 1;
const UNFINISHED = 40;
const OTHER_CLIENTS = 4;
const BETWEEN_CALLS_MS = 10;
/** Of the kernel's counters in /proc/PID/stat. */
const TICK_MS = 10;

export const costlyRequests: Scenario = {
  name: 'costly-requests',
  promise:
    'Beside eight connections that send nonsensical URLs of 15 KB without a key, or batches of one long line, other callers wait for at most 100 ms; unfinished batches of one key refuse no other.',
  run: runCostlyRequests,
};

async function runCostlyRequests(run: FaultRun) {
  const service = await startService(run, {
    args: [
      ...['--threads', '1', '--behind-proxy', '--compat', ADAPTER_NAMES.join()],
      ...['--compat-listen', 'http://127.0.0.1:0', '--compat-from', '127.0.0.1', '--log-level', 'warn'],
    ],
  });
  const others = await startOthers(run, service);
  const { key } = await createKey(run, service, ['--batch']);
  const port = portOf(service.ready.url);
  const [escapes, names] = ['%&', 'a&'].map((pair) => pair.repeat(URL_BYTES / pair.length));
  const line = `{"query":[${'{},'.repeat(170_000)}{}]}`;
  const floods: Flood[] = [
    { title: 'bad escapes without a key', port, request: get(`/api?${escapes}`), maxCostMs: MAX_COST_MS },
    { title: 'parameters without a key', port, request: get(`/reverse?${names}`), maxCostMs: MAX_COST_MS },
    {
      title: 'bad escapes from a refused address',
      ...{ port: portOf(service.ready.compatUrl), localAddress: '127.0.0.9' },
      ...{ request: get(`/api?${escapes}`), maxCostMs: MAX_COST_MS },
    },
    { title: 'batches of one line of 512 KB', port, request: batch(key, line, line.length) },
  ];
  const checks = [figure('longest call of others before', formatMs(others.takeLongestMs()))];
  for (const flood of floods) checks.push(...(await measureFlood(run, { service, others, flood })));
  checks.push(...(await measureUnfinished(run, { service, key, port })));
  await others.stop();
  return [...checks, exactly('calls of others that failed', others.failures(), 0)];
}

interface Flood {
  readonly title: string;
  readonly port: number;
  readonly localAddress?: string;
  readonly request: string;
  readonly maxCostMs?: number;
}

interface Flooded {
  readonly service: RunningService;
  readonly others: Others;
  readonly flood: Flood;
}

async function measureFlood(run: FaultRun, { service, others, flood }: Flooded) {
  const { title, port, localAddress = '127.0.0.1', request, maxCostMs } = flood;
  const args = [port, localAddress, CONNECTIONS, SECONDS[run.scale]].map(String);
  const child = spawn(process.execPath, [CLIENTS, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  run.after(() => child.kill('SIGKILL'));
  const usedMs = processorMs(service);
  others.takeLongestMs();
  child.stdin.end(request);
  const requests = Number(await text(child.stdout));
  const costMs = (processorMs(service) - usedMs) / requests;
  const waitMs = others.takeLongestMs();
  run.print(`${title}: ${formatCount(requests)} requests, ${formatMs(costMs)} each, others waited ${formatMs(waitMs)}`);
  const cost = `processor time per request, ${title}`;
  return [
    figure(`requests, ${title}`, formatCount(requests)),
    maxCostMs === undefined
      ? figure(cost, formatMs(costMs))
      : ifAlone(run.scale, atMost(cost, costMs, maxCostMs, formatMs)),
    ifAlone(run.scale, atMost(`longest call of others, ${title}`, waitMs, MAX_WAIT_MS, formatMs)),
  ];
}

/** Includes the calls of others. */
function processorMs({ ready }: RunningService): number {
  const [, fields = ''] = readFileSync(`/proc/${ready.pid}/stat`, 'latin1').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * TICK_MS;
}

interface Others {
  /** The longest call since the last time. */
  takeLongestMs(): number;
  failures(): number;
  stop(): Promise<unknown>;
}

/** Starts clients that call every few milliseconds. */
async function startOthers(run: FaultRun, service: RunningService): Promise<Others> {
  const { key } = await createKey(run, service);
  const request = post('query', key, 'application/x-www-form-urlencoded', 'query=lond');
  let [isStopped, longestMs, failures] = [false, 0, 0];
  const callOverAndOver = async () => {
    const connection = new RawConnection({ port: portOf(service.ready.url) });
    while (!isStopped) {
      const startedMs = performance.now();
      const response = await connection.send(request);
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      if (response?.status !== 200) failures++;
      await delay(BETWEEN_CALLS_MS);
    }
    connection.destroy();
  };
  const clients = Array.from({ length: OTHER_CLIENTS }, callOverAndOver);
  const stop = () => {
    isStopped = true;
    return Promise.all(clients);
  };
  run.after(stop);
  const takeLongestMs = () => {
    const ms = longestMs;
    longestMs = 0;
    return ms;
  };
  await delay(SECONDS[run.scale] * 1000); // the first calls are slower
  takeLongestMs();
  await delay(SECONDS[run.scale] * 1000);
  return { takeLongestMs, failures: () => failures, stop };
}

interface Unfinished {
  readonly service: RunningService;
  readonly key: string;
  readonly port: number;
}

/** Opens batches whose bodies do not end, and calls with another key meanwhile. */
async function measureUnfinished(run: FaultRun, { service, key, port }: Unfinished) {
  const other = (await createKey(run, service, ['--batch'])).key;
  const line = '{"query":"lond"}\n';
  const startedMs = performance.now();
  const connections = Array.from({ length: UNFINISHED }, () => new RawConnection({ port }));
  const ended = connections.map((connection) => connection.send(batch(key, line, 500_000)));
  const statusOf = async (ofKey: string) => {
    const headers = { 'x-service-key': ofKey, 'content-type': 'application/x-ndjson' };
    const response = await fetch(`http://127.0.0.1:${port}/api/1/batch`, { method: 'POST', headers, body: line });
    await response.text();
    return response.status;
  };
  await waitUntil('the share of the key is used up', async () => (await statusOf(key)) === 503);
  const status = await statusOf(other);
  if (run.scale === 'short') for (const connection of connections) connection.destroy();
  await Promise.all(ended);
  const endedMs = performance.now() - startedMs;
  return [
    figure('unfinished batches of one key', formatCount(UNFINISHED)),
    exactly('status of a batch with another key meanwhile', status, 200),
    ifAlone(run.scale, atMost('time until all of them are given up', endedMs, 4000, formatMs)),
  ];
}

function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

function batch(key: string, body: string, length: number): string {
  return post('batch', key, 'application/x-ndjson', body, length);
}

function post(endpoint: string, key: string, type: string, body: string, length = body.length): string {
  const head = [`POST /api/1/${endpoint} HTTP/1.1`, 'Host: a', `X-Service-Key: ${key}`, `Content-Type: ${type}`];
  return [...head, `Content-Length: ${length}`, '', body].join('\r\n');
}

function portOf(url = ''): number {
  return Number(new URL(url).port);
}
