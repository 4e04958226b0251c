/** `kill -9` of the whole service under load, and its restart. */
import { formatCount } from '../../bench/report.ts';
import { atMost, exactly, figure, formatSeconds, ifAlone } from '../checks.ts';
import { SteadyLoad } from '../http/steady-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService } from '../service.ts';

const KILLS = { full: 10, short: 1 };
const MAX_RESTART_MS = 1000;
const CALLS_BEFORE_KILL = 100;

export const killedProcess: Scenario = {
  name: 'killed-process',
  promise: 'After kill -9 under load the service is ready again within a second, with all keys and revocations.',
  run: runKills,
};

async function runKills(run: FaultRun) {
  let service = await startService(run, { args: ['--log-level', 'warn'] });
  const { state } = service;
  const good = await createKey(run, service);
  const revoked = await createKey(run, service);
  await runCommand(run, ['keys', 'revoke', revoked.id, '--state', state]);
  const restartMs: number[] = [];
  let calls = 0;
  let wrong = 0;
  for (let i = 0; i < KILLS[run.scale]; i++) {
    const load = new SteadyLoad(service, good.key);
    await load.untilAnswered(CALLS_BEFORE_KILL);
    service.child.kill('SIGKILL');
    await service.ended();
    await load.stop();
    calls += load.takeLatencies().length;
    const startedMs = performance.now();
    service = await startService(run, { state, args: ['--log-level', 'warn'] });
    restartMs.push(performance.now() - startedMs);
    run.print(`ready again after ${formatSeconds(restartMs.at(-1) ?? 0)}`);
    const statuses = await Promise.all(
      [good, revoked].map(
        async ({ key }) => (await service.call('/api/1/query', { form: { query: 'par' }, key })).status,
      ),
    );
    if (statuses.join() !== '200,403') wrong++;
  }
  const longest = Math.max(...restartMs);
  return [
    figure('kills under load', `${KILLS[run.scale]}, after ${formatCount(calls)} calls`),
    ifAlone(run.scale, atMost('longest time from the restart until ready', longest, MAX_RESTART_MS, formatSeconds)),
    exactly('restarts with a wrong set of keys', wrong, 0),
  ];
}
