/** `kill -9` of the whole service under load, and its restart. */
import { formatCount } from '../../bench/report.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atMost, exactly, figure, formatSeconds, ifAlone } from '../checks.ts';
import { SteadyLoad } from '../http/steady-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService } from '../service.ts';

const KILLS = { full: 10, short: 1 };
const MAX_RESTART_MS = 1000;
const CALLS_BEFORE_KILL = { full: 100, short: 20 };

export const killedProcess: Scenario = {
  name: 'killed-process',
  promise: 'After kill -9 under load the service is ready again within a second, with all keys and revocations.',
  run: runKills,
};

async function runKills(run: FaultRun) {
  let service = await startService(run, { args: ['--log-level', 'warn'] });
  const { state } = service;
  const first = await createKey(run, service);
  const valid = [first.key];
  const revoked: string[] = [];
  const restartMs: number[] = [];
  let calls = 0;
  let wrong = 0;
  for (let i = 0; i < KILLS[run.scale]; i++) {
    const load = new SteadyLoad(service, first.key, run.scale);
    await load.untilAnswered(CALLS_BEFORE_KILL[run.scale]);
    valid.push((await createKey(run, service)).key);
    const { id, key } = await createKey(run, service);
    await runCommand(run, ['keys', 'revoke', id, '--state', state]);
    revoked.push(key);
    service.child.kill('SIGKILL');
    await service.ended();
    await load.stop();
    calls += load.takeLatencies().length;
    const startedMs = performance.now();
    service = await startService(run, { state, args: ['--log-level', 'warn'] });
    restartMs.push(performance.now() - startedMs);
    run.print(`ready again after ${formatSeconds(restartMs.at(-1) ?? 0)}`);
    wrong += await countOthers(service, valid, 200);
    wrong += await countOthers(service, revoked, 403);
  }
  const longest = Math.max(...restartMs);
  return [
    figure(
      'kills under load',
      `${KILLS[run.scale]}, after ${formatCount(calls)} calls; before each, one key is created and one revoked`,
    ),
    ifAlone(run.scale, atMost('longest time from the restart until ready', longest, MAX_RESTART_MS, formatSeconds)),
    exactly('keys that were lost, and revoked keys that worked', wrong, 0),
  ];
}

/** Counts the keys whose calls get another status. */
async function countOthers(service: RunningService, keys: readonly string[], status: number): Promise<number> {
  const calls = keys.map((key) => service.call('/api/1/query', { form: { query: 'par' }, key }));
  return (await Promise.all(calls)).filter((response) => response.status !== status).length;
}
