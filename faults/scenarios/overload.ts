/** Three times as many calls as a thread can answer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { formatCount } from '../../bench/report.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atLeast, atMost, exactly, figure, formatPercent, formatSeconds, ifAlone } from '../checks.ts';
import type { Phase } from '../clients/open-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService } from '../service.ts';

const CLIENTS = fileURLToPath(new URL('../clients/open-load.ts', import.meta.url));
const SECONDS = { full: 10, short: 0.5 };
const RECOVERY_SECONDS = { full: 5, short: 0.5 };
const MIN_SHARE = 0.8;
const MAX_RECOVERY_MS = 1000;

export const overload: Scenario = {
  name: 'overload',
  promise:
    'With three times the calls that it can answer, the service answers at least 80% of its peak rate, refuses others with 503, and answers all within a second after that.',
  run: runOverload,
};

async function runOverload(run: FaultRun) {
  const args = ['--threads', '1', '--behind-proxy', '--trusted-proxies', '127.0.0.0/8', '--log-level', 'warn'];
  const service = await startService(run, { args });
  const { key } = await createKey(run, service);
  const seconds = SECONDS[run.scale];
  const [, peak] = await load(run, { service, key, seed: run.seed }, [`0:${seconds}`, `0:${seconds}`]); // the first one warms up
  const peakRate = rateOf(peak);
  run.print(`peak: ${formatCount(peakRate)} calls per second`);
  const [overloaded, afterwards] = await load(run, { service, key, seed: run.seed + 1 }, [
    `${3 * peakRate}:${seconds}`,
    `${Math.round(peakRate / 2)}:${RECOVERY_SECONDS[run.scale]}`,
  ]);
  if (overloaded === undefined || afterwards === undefined) throw new Error('the clients printed nothing');
  const { sent, held, shed, late } = overloaded;
  const share = rateOf(overloaded) / peakRate;
  return [
    figure('peak rate of one thread', `${formatCount(peakRate)} calls per second`),
    figure(
      'calls due at three times this rate',
      `${formatCount(sent + held)}, of which ${formatCount(sent)} were sent`,
    ),
    figure('calls answered with 503', formatCount(shed)),
    figure('calls answered after more than a second', formatCount(late)),
    ifAlone(
      run.scale,
      atLeast('calls answered in a second, relative to the peak rate', share, MIN_SHARE, formatPercent),
    ),
    exactly('calls without a response', overloaded.failed + afterwards.failed, 0),
    ifAlone(
      run.scale,
      atMost(
        'at half the peak rate afterwards: time until each call is answered within 200 ms',
        afterwards.lastSlowMs,
        MAX_RECOVERY_MS,
        formatSeconds,
      ),
    ),
  ];
}

/** Useful calls per second. */
function rateOf(phase: Phase | undefined): number {
  return phase === undefined ? 0 : Math.round(phase.useful / phase.seconds);
}

interface Target {
  readonly service: RunningService;
  readonly key: string;
  /** Each seed has other names, so that no response is in the cache. */
  readonly seed: number;
}

async function load(run: FaultRun, target: Target, phases: string[]) {
  const { port } = new URL(target.service.ready.url);
  const child = spawn(process.execPath, [CLIENTS, port, String(target.seed), ...phases], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  run.after(() => child.kill('SIGKILL'));
  child.stdin.end(target.key);
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Phase);
}
