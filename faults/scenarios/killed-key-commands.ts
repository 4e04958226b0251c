/** `kill -9` of `keys create` and `keys revoke` at random moments, beside a running service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { formatCount } from '../../bench/report.ts';
import { PROGRAM, testEnvironment } from '../../test/support/environment.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { exactly, figure } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService, stopService } from '../service.ts';

const KILLS = { full: 100, short: 5 };

export const killedKeyCommands: Scenario = {
  name: 'killed-key-commands',
  promise: 'Keys and revocations that a command has reported survive, whenever another command is killed.',
  run: runKills,
};

/** What the commands reported. The keys of killed commands are in neither list. */
interface Reported {
  readonly created: { readonly id: string; readonly key: string }[];
  readonly revoked: { readonly id: string; readonly key: string }[];
}

async function runKills(run: FaultRun) {
  const random = seededRandom(run.seed);
  const service = await startService(run, { args: ['--log-level', 'warn'] });
  const usualMs = await measureCommand(run, service);
  const reported: Reported = { created: [], revoked: [] };
  let killed = 0;
  for (let i = 0; i < KILLS[run.scale]; i++) {
    // most of a command's time is its start: the kills aim at the writing near its end
    const afterMs = usualMs * (0.5 + random(700) / 1000);
    const oldest = i % 3 === 2 ? reported.created.shift() : undefined;
    if (oldest === undefined) {
      const output = await runAndKill(['create', '--label', 'x', '--per-minute', 'unlimited'], service, afterMs);
      if (isComplete(output)) reported.created.push(parseKey(run, output));
      else killed++;
    } else {
      const output = await runAndKill(['revoke', oldest.id], service, afterMs);
      if (isComplete(output)) reported.revoked.push(oldest);
      else killed++; // the key may be revoked or not
    }
  }
  run.print(`${killed} commands killed, ${reported.created.length} keys left, ${reported.revoked.length} revoked`);
  const whileRunning = await countWrong(service, reported);
  await stopService(run, service);
  const restarted = await startService(run, { state: service.state, args: ['--log-level', 'warn'] });
  const afterRestart = await countWrong(restarted, reported);
  const works = await createKey(run, restarted);
  const { status } = await restarted.call('/api/1/query', { form: { query: 'par' }, key: works.key });
  return [
    figure('commands killed before they reported', `${formatCount(killed)} of ${formatCount(KILLS[run.scale])}`),
    exactly(`of ${reported.created.length} keys, lost`, whileRunning.created + afterRestart.created, 0),
    exactly(`of ${reported.revoked.length} revocations, lost`, whileRunning.revoked + afterRestart.revoked, 0),
    exactly('new keys that do not work afterwards', status === 200 ? 0 : 1, 0),
  ];
}

async function measureCommand(run: FaultRun, service: RunningService): Promise<number> {
  const create = async () => parseKey(run, await runAndKill(['create', '--label', 'x'], service));
  await create(); // fills the caches
  const startedMs = performance.now();
  await create();
  return performance.now() - startedMs;
}

/** Returns what the command wrote before it ended or was killed. Without a time, it is not killed. */
async function runAndKill(args: readonly string[], { state }: RunningService, afterMs?: number): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, 'keys', ...args, '--state', state, '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: testEnvironment(),
  });
  const output = Promise.all([text(child.stdout), once(child, 'exit')]);
  await (afterMs === undefined ? output : Promise.race([output, delay(afterMs)]));
  child.kill('SIGKILL');
  return (await output)[0];
}

function isComplete(output: string): boolean {
  return output.endsWith('\n');
}

function parseKey({ keySearch }: FaultRun, output: string): { readonly id: string; readonly key: string } {
  const created = JSON.parse(output) as { id: string; key: string };
  keySearch.addKey(created.key);
  return created;
}

/** Counts keys that do not work and revoked keys that work. */
async function countWrong(service: RunningService, { created, revoked }: Reported) {
  const statusOf = async (key: string) => (await service.call('/api/1/query', { form: { query: 'par' }, key })).status;
  const count = async (keys: Reported['created'], expected: number) => {
    const statuses = await Promise.all(keys.map(({ key }) => statusOf(key)));
    return statuses.filter((status) => status !== expected).length;
  };
  return { created: await count(created, 200), revoked: await count(revoked, 403) };
}
