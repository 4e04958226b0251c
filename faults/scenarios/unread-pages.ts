/** Clients that request the largest file of the pages and never read it, beside ordinary calls. */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentBytes } from '../../bench/process-usage.ts';
import { formatCount, formatMegabytes } from '../../bench/report.ts';
import { summarize } from '../../bench/statistics.ts';
import { OutputLines } from '../../test/support/output-lines.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atMost, type Check, exactly, figure, formatMs, ifAlone } from '../checks.ts';
import { startSteadyLoad } from '../http/steady-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { startService } from '../service.ts';

const CLIENTS = fileURLToPath(new URL('../clients/unread-pages.ts', import.meta.url));
const PAGE_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));
const CONNECTIONS = { full: 400, short: 60 };
/** The service closes connections that do not read after 20 s. */
const ATTACK_MS = { full: 15_000, short: 1000 };
const MEMORY_POLL_MS = 100;
const MAX_MORE_BYTES = 100_000_000;

export const unreadPages: Scenario = {
  name: 'unread-pages',
  promise:
    'Clients that request files of the pages over 400 connections and never read them take at most 100 MB, and once they are connected, ordinary calls at most double their p99.',
  run: async (run) => {
    const file = largestPageFile();
    if (file === undefined) throw new Error('the pages have not been built; run "node web/build.js"');
    const one = await attack(run, file, { title: 'one address', addresses: 1 });
    const many = await attack(run, file, { title: 'as many addresses', addresses: CONNECTIONS[run.scale] });
    return [figure('the file', `${formatMegabytes(file.bytes)}, requested four times per connection`), ...one, ...many];
  },
};

interface PageFile {
  readonly path: string;
  readonly bytes: number;
}

function largestPageFile(): PageFile | undefined {
  const names = readdirSync(PAGE_FOLDER).filter((name) => name.endsWith('.js'));
  const files = names.map((name) => ({ path: `/page/${name}`, bytes: statSync(`${PAGE_FOLDER}/${name}`).size }));
  return files.sort((one, other) => other.bytes - one.bytes)[0];
}

/** Each attack has its own service, because memory that was freed stays with the process. */
async function attack(
  run: FaultRun,
  file: PageFile,
  { title, addresses }: { readonly title: string; readonly addresses: number },
): Promise<Check[]> {
  const service = await startService(run, { args: ['--log-level', 'warn'] });
  const { load, before } = await startSteadyLoad(run, service);
  const memoryBefore = residentBytes(service.ready.pid);
  const clients = spawn(
    process.execPath,
    [CLIENTS, service.ready.url, file.path, String(CONNECTIONS[run.scale]), String(addresses)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  run.after(() => clients.kill('SIGKILL'));
  let connecting: number[] = [];
  const peak = await peakMemory(service, async () => {
    await new OutputLines(clients.stdout).contains('open');
    connecting = load.takeLatencies(); // handshakes take time, whatever the clients do then
    await delay(ATTACK_MS[run.scale]);
  });
  const during = summarize(load.takeLatencies());
  const times = [before, summarize(connecting), during].map(({ p99 }) => formatMs(p99));
  clients.kill('SIGKILL');
  await load.stop();
  const connections = `${formatCount(CONNECTIONS[run.scale])} connections of ${title}`;
  run.print(`${connections}: ${formatMegabytes(memoryBefore)} before, ${formatMegabytes(peak)} at most`);
  return [
    figure(
      `${connections}: p99 of ordinary calls`,
      `${times[0]} before, ${times[1]} while they connect, ${times[2]} then`,
    ),
    atMost(`${connections}: more memory at its peak`, peak - memoryBefore, MAX_MORE_BYTES, formatMegabytes),
    ifAlone(
      run.scale,
      atMost(
        `${connections}: p99 once they are open, relative to before`,
        during.p99 / before.p99,
        2,
        (share) => `${share.toFixed(1)} times`,
      ),
    ),
    exactly(`${connections}: ordinary calls that failed`, load.failures, 0),
  ];
}

async function peakMemory({ ready }: RunningService, during: () => Promise<void>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(ready.pid));
  }, MEMORY_POLL_MS);
  await during().finally(() => clearInterval(timer));
  return peak;
}
