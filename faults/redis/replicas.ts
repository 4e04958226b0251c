/** Two replicas that share keys and limits through Redis, and random calls to both. */
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../test/support/deadline.ts';
import { redisProgram } from '../../test/support/redis.ts';
import type { RunningService, ServeRun } from '../../test/support/running-service.ts';
import type { Scale } from '../checks.ts';
import { type Check, exactly, skipped } from '../checks.ts';
import { randomChoices } from '../requests/choices.ts';
import type { FaultRun } from '../scenario.ts';
import { startService } from '../service.ts';
import { RandomCalls } from './random-calls.ts';

export interface Replicas {
  readonly services: readonly [RunningService, RunningService];
  readonly calls: RandomCalls;
}

export interface CallLoad {
  readonly addresses: number;
  readonly callsPerSecond: number;
}

/** The check of a machine without Redis; undefined if it has Redis. */
export function withoutRedis(): Check[] | undefined {
  return redisProgram.skip === false ? undefined : [skipped('two replicas with Redis', redisProgram.skip)];
}

/** Between two looks at a notice, which cost the replicas processor time. */
const POLL_MS = 50;

/** Beside other tests a replica may have too little time, and send 503: an error in a full run only. */
export function noErrors(scale: Scale, { errors, overloaded }: RandomCalls): Check {
  return exactly('errors to clients', errors.length + (scale === 'full' ? overloaded : 0), 0);
}

/** `redisFlags` are the flags of `serve` about Redis. */
export async function startReplicas(run: FaultRun, redisFlags: readonly string[], load: CallLoad): Promise<Replicas> {
  const args = ['--threads', '1', '--behind-proxy', '--trusted-proxies', '127.0.0.1', '--log-level', 'warn'];
  const start = (options: ServeRun = {}) => startService(run, { ...options, args: [...args, ...redisFlags] });
  const first = await start();
  const second = await start();
  const ports = [first, second].map(({ ready }) => Number(new URL(ready.url).port));
  const calls = new RandomCalls({ ports, key: first.key, choose: randomChoices(run.seed, 0), ...load });
  run.after(() => calls.close());
  return { services: [first, second], calls };
}

/** Calls for a time. */
export async function callFor(calls: RandomCalls, ms: number): Promise<void> {
  const endMs = performance.now() + ms;
  await calls.runUntil(() => performance.now() >= endMs);
}

/** Calls until all replicas use Redis, or until one does not. Returns the milliseconds. */
export async function callUntilUsed({ services, calls }: Replicas, isUsed: boolean): Promise<number> {
  const startedMs = performance.now();
  let isReached = false;
  const watching = waitUntil(isUsed ? 'Redis is used' : 'Redis is not used', async () => {
    const notices = await Promise.all(services.map(plainNotice));
    isReached = isUsed
      ? notices.every((notice) => notice === undefined)
      : notices.some((notice) => notice !== undefined);
    if (!isReached) await delay(POLL_MS);
    return isReached;
  });
  await Promise.all([watching, calls.runUntil(() => isReached)]);
  return performance.now() - startedMs;
}

/** The notice of `/readyz` over plain HTTP. */
async function plainNotice({ ready }: RunningService): Promise<string | undefined> {
  const response = await fetch(new URL('/readyz', ready.url));
  return ((await response.json()) as { notice?: string }).notice;
}
