/**
 * Services and commands of scenarios. Their logs, metrics, arguments, environments and state
 * folders are searched for keys.
 */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtIndex } from '../test/support/built-index.ts';
import { runCommand as runInProcess } from '../test/support/command.ts';
import { smallIndex } from '../test/support/index-version.ts';
import { type RunningService, runService, runToponym, type ServeRun } from '../test/support/running-service.ts';
import type { FaultRun } from './scenario.ts';

/** Not searched: folders, and the file that holds the text of the first key by design. */
const NOT_SEARCHED = ['first-key.txt', 'tls', 'index'];

/**
 * Starts a service that stops at the end of the scenario at the latest. In the short form it has one
 * thread and a few places, unless `options` say otherwise.
 */
export async function startService(run: FaultRun, options: ServeRun = {}): Promise<RunningService> {
  const isShort = run.scale === 'short';
  const args = [...(isShort ? ['--threads', '1'] : []), ...(options.args ?? []), '--metrics-port', '0'];
  const index = options.index ?? (isShort ? await smallIndex() : await builtIndex());
  const service = await runService(run, { ...options, index, args });
  run.keySearch.addKey(service.key);
  searchProcess(run, service.ready.pid);
  run.after(() => searchOutputs(run, service));
  return service;
}

/** Stops a service and returns when it has ended. */
export async function stopService(run: FaultRun, service: RunningService): Promise<void> {
  await searchMetrics(run, service);
  service.child.kill('SIGTERM');
  await service.ended();
  searchFiles(run, service);
}

/** Creates a key without a rate limit, unless `args` set one. */
export async function createKey(run: FaultRun, service: Pick<RunningService, 'state'>, args: readonly string[] = []) {
  const limit = args.includes('--per-minute') ? [] : ['--per-minute', 'unlimited'];
  const words = ['keys', 'create', '--label', 'test', '--json', '--state', service.state, ...limit, ...args];
  const created = JSON.parse((await runCommand(run, words)).stdout) as { readonly id: string; readonly key: string };
  run.keySearch.addKey(created.key);
  return created;
}

/** Runs a command until it exits. Its error output is searched for keys. */
export async function runCommand(run: FaultRun, args: readonly string[]) {
  const result = await (args[0] === 'serve' ? runToponym(args) : runInProcess(args));
  run.keySearch.search('error output of commands', result.stderr);
  return result;
}

function searchProcess({ keySearch }: FaultRun, pid: number): void {
  for (const file of ['cmdline', 'environ'])
    keySearch.search('process list', readFileSync(`/proc/${pid}/${file}`, 'latin1'));
}

async function searchOutputs(run: FaultRun, service: RunningService): Promise<void> {
  if (service.child.exitCode === null && service.child.signalCode === null) {
    searchProcess(run, service.ready.pid);
    await searchMetrics(run, service);
  }
  searchFiles(run, service);
}

function searchFiles({ keySearch }: FaultRun, service: RunningService): void {
  keySearch.search('log', service.log());
  for (const file of readdirSync(service.state)) {
    if (NOT_SEARCHED.includes(file)) continue;
    keySearch.search('state folder', readFileSync(join(service.state, file), 'latin1'));
  }
}

async function searchMetrics(run: FaultRun, { ready }: RunningService): Promise<void> {
  const [response] = await once(get(new URL('/metrics', ready.metricsUrl)), 'response');
  run.keySearch.search('metrics', await text(response));
}
