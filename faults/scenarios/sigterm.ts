/**
 * SIGTERM under load, over persistent and over new connections. A request is lost if it was sent
 * and no complete response came. A client whose connection is refused, or ends before the TLS
 * handshake is complete, has sent nothing. It then calls the other service, as after a 503.
 */
import { Agent } from 'node:https';
import { formatCount } from '../../bench/report.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atMost, exactly, figure, formatSeconds, ifAlone } from '../checks.ts';
import { sentCall } from '../http/sent-call.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService } from '../service.ts';

const STOPS = { full: 10, short: 1 };
const CLIENTS_OF_EACH_KIND = { full: 6, short: 3 };
const CALLS_BEFORE_STOP = { full: 200, short: 60 };
/** The default of --drain-seconds, after which running requests are cut off. */
const MAX_STOP_MS = 10_000;

export const sigterm: Scenario = {
  name: 'sigterm',
  promise: 'A service that gets SIGTERM under load loses no request, on persistent and on new connections.',
  run: runStops,
};

interface Target {
  readonly service: RunningService;
  readonly key: string;
}

async function runStops(run: FaultRun) {
  const other = await startTarget(run);
  const counts = new Counts();
  const stopMs: number[] = [];
  let wrongExits = 0;
  for (let i = 0; i < STOPS[run.scale]; i++) {
    const stopping = await startTarget(run);
    const reached = counts.answered + CALLS_BEFORE_STOP[run.scale];
    const clients = Array.from({ length: 2 * CLIENTS_OF_EACH_KIND[run.scale] }, (_, n) => {
      return runClient([stopping, other], counts, n % 2 === 0 ? 'persistent' : 'new');
    });
    await counts.untilAnswered(reached);
    const startedMs = performance.now();
    stopping.service.child.kill('SIGTERM');
    const [code] = await stopping.service.ended();
    stopMs.push(performance.now() - startedMs);
    if (code !== 0 || stopping.service.log().includes('were aborted')) wrongExits++;
    await Promise.all(clients);
    run.print(`${formatCount(counts.answered)} calls answered, ${counts.moved} moved, ${counts.lost.length} lost`);
  }
  for (const problem of counts.lost.slice(0, 5)) run.print(`lost: ${problem}`);
  return [
    figure('stops under load', `${STOPS[run.scale]}, with ${formatCount(counts.answered)} calls`),
    figure(
      'calls that the other service answered, after a connection without a request or a 503',
      formatCount(counts.moved),
    ),
    exactly('requests lost', counts.lost.length, 0),
    exactly('stops with another exit code than 0 or with aborted requests', wrongExits, 0),
    ifAlone(run.scale, atMost('longest stop', Math.max(...stopMs), MAX_STOP_MS, formatSeconds)),
  ];
}

async function startTarget(run: FaultRun): Promise<Target> {
  const service = await startService(run, { args: ['--log-level', 'warn'] });
  const { key } = await createKey(run, service);
  return { service, key };
}

class Counts {
  answered = 0;
  moved = 0;
  readonly lost: string[] = [];
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  addAnswer(): void {
    this.answered++;
    for (const { count, resolve } of this.#waiting) if (this.answered >= count) resolve();
  }

  async untilAnswered(count: number): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }
}

/** Calls the first target until it refuses, and then the other one once. */
async function runClient([first, other]: [Target, Target], counts: Counts, connections: 'persistent' | 'new') {
  const agent = connections === 'persistent' ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
  for (;;) {
    const outcome = await callOnce(first, agent);
    if (outcome === 'answered') {
      counts.addAnswer();
      continue;
    }
    if (outcome === 'refused') counts.moved++;
    else counts.lost.push(`${connections} connection: ${outcome}`);
    if ((await callOnce(other)) !== 'answered') counts.lost.push('the other service did not answer');
    break;
  }
  agent?.destroy();
}

async function callOnce({ service, key }: Target, agent?: Agent): Promise<string> {
  const result = await sentCall(service, key, agent);
  if (result.status === 200) return 'answered';
  if (result.status === undefined) return result.isSent ? result.reason : 'refused';
  return result.status === 503 ? 'refused' : `status ${result.status}`;
}
