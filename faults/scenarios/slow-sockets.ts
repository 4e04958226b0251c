/** Thousands of slow connections beside an ordinary load. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  HANDSHAKE_TIMEOUT_MS,
  REQUEST_CHECK_INTERVAL_MS,
  REQUEST_TIMEOUT_MS,
  WRITE_TIMEOUT_MS,
} from 'toponym-server/http/timeouts';
import { formatCount } from '../../bench/report.ts';
import { summarize } from '../../bench/statistics.ts';
import { waitUntil } from '../../test/support/deadline.ts';
import { OutputLines } from '../../test/support/output-lines.ts';
import { atMost, exactly, figure, formatMs, formatSeconds, ifAlone } from '../checks.ts';
import { startSteadyLoad } from '../http/steady-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { startService } from '../service.ts';

const SLOW_CLIENTS = fileURLToPath(new URL('../clients/slow-clients.ts', import.meta.url));
/** Connections of each kind, in the order in which they are opened. The short form leaves out those that take 20 s. */
const COUNTS: Record<FaultRun['scale'], Readonly<Record<string, number>>> = {
  full: { unread: 200, handshake: 600, headers: 600, body: 600 },
  short: { handshake: 20, headers: 20, body: 20 },
};
const POLL_MS = 100;
/** Shorter than the time until the first connections are closed. */
const OPEN_MS = { full: 5000, short: 1000 };
/** What docs/reliability.md says, with the time until the next check. */
const LIMITS_MS: Record<string, number> = {
  headers: REQUEST_TIMEOUT_MS + REQUEST_CHECK_INTERVAL_MS,
  body: REQUEST_TIMEOUT_MS + REQUEST_CHECK_INTERVAL_MS,
  handshake: 2 * HANDSHAKE_TIMEOUT_MS, // to the first byte, and from there to the end of the handshake
  unread: WRITE_TIMEOUT_MS + REQUEST_CHECK_INTERVAL_MS,
};
const TITLES: Record<string, string> = {
  headers: 'dripping headers',
  body: 'dripping bodies',
  handshake: 'idle handshakes',
};
/** Time for the end of a connection to reach the client on a busy machine. */
const NOTICE_MS = 1000;

export const slowSockets: Scenario = {
  name: 'slow-sockets',
  promise:
    'Beside 2,000 slow connections the p99 of ordinary calls at most doubles, and the slow ones are closed in the documented time.',
  run: runSlowSockets,
};

async function runSlowSockets(run: FaultRun) {
  const service = await startService(run, { args: ['--log-level', 'warn'] });
  const { key, load, before } = await startSteadyLoad(run, service);
  const descriptors = countDescriptors(service.ready.pid);
  run.print(`ordinary calls: p99 ${formatMs(before.p99)}, ${descriptors} descriptors`);

  const clients = runSlowClients(run, service.ready.url, key);
  const kinds = Object.keys(COUNTS[run.scale]);
  await clients.lines.contains(`${kinds[0]} are open`);
  const firstOpenedMs = performance.now();
  await clients.lines.contains(`${kinds.at(-1)} are open`);
  const peak = countDescriptors(service.ready.pid);
  load.takeLatencies();
  run.print(`all are open: ${formatCount(peak)} descriptors`);
  await delay(OPEN_MS[run.scale]);
  const whileOpen = load.takeLatencies();
  await clients.lines.contains('{');
  const closedAfterMs = JSON.parse(clients.lines.lines.at(-1) ?? '') as Record<string, number[]>;
  await waitUntil('the descriptors are closed', async () => {
    await delay(POLL_MS); // counting takes processor time from the calls
    return countDescriptors(service.ready.pid) <= descriptors;
  });
  const lastClosedMs = performance.now() - firstOpenedMs;
  const whileClosed = load.takeLatencies();
  await load.stop();

  const opened = Object.values(COUNTS[run.scale]).reduce((sum, count) => sum + count, 0);
  const p99 = 'p99 of ordinary calls until all are closed, relative to before';
  const share = summarize([...whileOpen, ...whileClosed]).p99 / before.p99;
  const [openP99, closedP99] = [whileOpen, whileClosed].map((latencies) => formatMs(summarize(latencies).p99));
  const times = `${formatMs(before.p99)} before, ${openP99} while all are open, ${closedP99} while they are closed`;
  return [
    figure('slow connections', `${formatCount(opened)} (${formatCount(peak - descriptors)} open at once)`),
    figure('p99 of ordinary calls', times),
    ifAlone(run.scale, atMost(p99, share, 2, formatTimes)),
    exactly('ordinary calls that failed', load.failures, 0),
    ...Object.entries(TITLES).map(([kind, title]) => {
      const maxMs = Math.max(...(closedAfterMs[kind] ?? [Number.NaN]));
      const closed = atMost(
        `${title}: last one closed after`,
        maxMs,
        (LIMITS_MS[kind] ?? 0) + NOTICE_MS,
        formatSeconds,
      );
      return ifAlone(run.scale, closed);
    }),
    ifAlone(
      run.scale,
      atMost(
        'all are closed, also those that never read: seconds since these were opened',
        lastClosedMs,
        Math.max(...kinds.map((kind) => LIMITS_MS[kind] ?? 0)) + NOTICE_MS,
        formatSeconds,
      ),
    ),
    exactly('descriptors left open', Math.max(0, countDescriptors(service.ready.pid) - descriptors), 0),
  ];
}

function formatTimes(share: number): string {
  return `${share.toFixed(1)} times`;
}

function runSlowClients(run: FaultRun, url: string, key: string) {
  const counts = Object.entries(COUNTS[run.scale]).map(([kind, count]) => `${kind}=${count}`);
  const child = spawn(process.execPath, [SLOW_CLIENTS, url, ...counts], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(key);
  run.after(() => child.kill('SIGKILL'));
  return { child, lines: new OutputLines(child.stdout) };
}

function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
