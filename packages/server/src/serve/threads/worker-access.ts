/** A worker thread's keys, limits and quotas: of this machine alone, or shared through Redis. */
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyRecord } from 'toponym-access/keys/key-record';
import { RedisKeyReader } from 'toponym-access/keys/redis-key-reader';
import { RedisKeys } from 'toponym-access/keys/redis-keys';
import type { WorkerKeys } from 'toponym-access/keys/service-keys';
import { openKeyReader } from 'toponym-access/keys/sqlite-key-reader';
import { type Limits, type LocalTables, localLimits, RedisLimits } from 'toponym-access/limits/limits';
import { QuotaTable } from 'toponym-access/limits/quota-table';
import { RateLimiter } from 'toponym-access/limits/rate-limiter';
import { RedisConnection } from 'toponym-access/redis/redis-connection';
import type { Logger } from '../log.ts';
import { type Metric, metricsOf } from '../metrics/metric.ts';
import type { WorkerConfig } from './worker-messages.ts';

/** A thread that cannot connect in this time serves without Redis until it can. */
const CONNECT_WITHIN_MS = 1000;

export interface WorkerAccess {
  findKey(keyText: string): KeyRecord | undefined;
  readonly limits: Limits;
  /** Why keys and limits are not shared now; empty if they are, or need not be. */
  readonly problem: string;
  metrics(): Metric[];
  close(): void;
}

type AccessConfig = Pick<WorkerConfig, 'keys' | 'rateBuffer' | 'quotaBuffer'>;

/** `onProblem` is called when `problem` becomes empty or not empty. */
export async function openWorkerAccess(
  { keys, rateBuffer, quotaBuffer }: AccessConfig,
  log: Logger,
  onProblem: (problem: string) => void,
): Promise<WorkerAccess> {
  const tables = { limiter: new RateLimiter(rateBuffer), quotas: new QuotaTable(quotaBuffer) };
  if (keys.kind === 'redis') return await openRedisAccess(keys, { tables, log, onProblem });
  const reader = openKeyReader(keys.path, (error) =>
    log.error({ reason: error.message }, 'the key store cannot be read: the last keys read stay in use'),
  );
  return {
    findKey: (keyText) => reader.find(keyText),
    limits: localLimits(tables),
    problem: '',
    metrics: () => [],
    close: () => reader.close(),
  };
}

interface RedisAccessOptions {
  readonly tables: LocalTables;
  readonly log: Logger;
  readonly onProblem: (problem: string) => void;
}

async function openRedisAccess(
  { settings, firstKeys }: Extract<WorkerKeys, { kind: 'redis' }>,
  { tables, log, onProblem }: RedisAccessOptions,
): Promise<WorkerAccess> {
  const connection = new RedisConnection(settings);
  connection.onChange = () => onProblem(connection.problem);
  const limits = new RedisLimits({
    ...tables,
    connection,
    secret: () => keys.secret,
    refreshKeys: () => keys.refresh(), // so that a revocation applies from the next call on
  });
  const store = new RedisKeys(connection, (problem) => log.warn({}, problem));
  const keys = new RedisKeyReader({ store, firstKeys, log });
  const prepared = connection.ready(CONNECT_WITHIN_MS).then(() => limits.prepare());
  await Promise.race([prepared, pause(CONNECT_WITHIN_MS)]).catch(() => {}); // the guards report it
  return {
    findKey: (keyText) => keys.find(keyText),
    limits,
    get problem() {
      return connection.problem;
    },
    metrics: () =>
      metricsOf({
        toponym_redis_problem: connection.problem === '' ? 0 : 1,
        toponym_redis_round_trips_total: limits.counts.roundTrips,
        toponym_calls_limited_locally_total: limits.counts.decidedLocally,
      }),
    close: () => {
      keys.close();
      connection.close();
    },
  };
}
