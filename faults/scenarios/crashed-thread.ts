/** Crashes of a worker thread under load. No signal can kill one thread, so it crashes by itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../test/support/deadline.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { atMost, exactly, figure, formatMs, formatSeconds, ifAlone, type Scale } from '../checks.ts';
import { CLIENTS, SteadyLoad } from '../http/steady-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService, stopService } from '../service.ts';

const CRASH_MODULE = new URL('../clients/crash-thread.ts', import.meta.url);
const TITLES = { throw: 'an exception', exit: 'an exit', memory: 'a full heap' };
type Way = keyof typeof TITLES;
const WAYS: Record<Scale, readonly Way[]> = { full: ['throw', 'exit', 'memory'], short: ['throw'] };
const CALLS_BEFORE_CRASH = { full: 100, short: 20 };
const THREADS = 2;
const MAX_RECOVERY_MS = 2000;
/** A thread whose heap fills up collects garbage for seconds before it crashes. */
const MAX_CALL_MS = 5000;

export const crashedThread: Scenario = {
  name: 'crashed-thread',
  promise: 'If a thread crashes, the others keep answering, it is replaced within two seconds, and no call hangs.',
  run: runCrashes,
};

async function runCrashes(run: FaultRun) {
  const results: CrashResult[] = [];
  for (const way of WAYS[run.scale]) {
    results.push(await crashOnce(run, way));
    run.print(`${way}: replaced after ${formatMs(results.at(-1)?.recoveryMs ?? 0)}`);
  }
  const longest = (field: 'recoveryMs' | 'callMs') => Math.max(...results.map((result) => result[field]));
  const sum = (field: 'cutOff' | 'failed') => results.reduce((total, result) => total + result[field], 0);
  return [
    figure('crashes', WAYS[run.scale].map((way) => TITLES[way]).join(', ')),
    ifAlone(
      run.scale,
      atMost('longest time until the new thread listens', longest('recoveryMs'), MAX_RECOVERY_MS, formatSeconds),
    ),
    atMost('calls of 4 clients that were cut off', sum('cutOff'), CLIENTS * WAYS[run.scale].length, String),
    ifAlone(run.scale, atMost('longest call, also of those cut off', longest('callMs'), MAX_CALL_MS, formatSeconds)),
    exactly('calls over new connections that failed after a crash', sum('failed'), 0),
  ];
}

interface CrashResult {
  readonly recoveryMs: number;
  readonly callMs: number;
  readonly cutOff: number;
  /** Calls after the crash, before and after the recovery. */
  readonly failed: number;
}

/** A new service for each crash, because the pause before a restart doubles each time. */
async function crashOnce(run: FaultRun, way: Way): Promise<CrashResult> {
  const file = join(temporaryFolder(run), 'crash');
  const env = { NODE_OPTIONS: `--import ${CRASH_MODULE}`, CRASH_FILE: file };
  const service = await startService(run, { env, args: ['--threads', String(THREADS), '--log-level', 'warn'] });
  const { key } = await createKey(run, service);
  const load = new SteadyLoad(service, key, run.scale);
  run.after(() => load.stop());
  await load.untilAnswered(CALLS_BEFORE_CRASH[run.scale]);
  const port = Number(new URL(service.ready.url).port);
  writeFileSync(file, way);
  await service.logged('a thread exited and will be replaced');
  const exitedMs = performance.now();
  const call = async () => {
    for (;;) {
      const response = await service.call('/api/1/query', { form: { query: 'par' }, key });
      // a service beside other tests may be overloaded
      if (response.status !== 503 || run.scale === 'full') return response;
    }
  };
  const failedBefore = countFailures(call);
  await waitUntil('the new thread listens', () => countListeners(port) === THREADS);
  const recoveryMs = performance.now() - exitedMs;
  const failed = (await failedBefore) + (await countFailures(call));
  await load.stop();
  const callMs = Math.max(...load.takeLatencies());
  await stopService(run, service);
  return { recoveryMs, callMs, cutOff: load.failures, failed };
}

/** Each thread has its own listener on the port. */
function countListeners(port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
  return readFileSync('/proc/net/tcp', 'latin1').split(address).length - 1;
}

async function countFailures(call: () => Promise<{ readonly status: number }>): Promise<number> {
  const calls = Array.from({ length: 20 }, () => call().then(({ status }) => (status === 200 ? 0 : 1)));
  const results = await Promise.all(calls.map((result) => result.catch(() => 1)));
  return results.reduce((sum: number, failures) => sum + failures, 0);
}
