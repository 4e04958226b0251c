/** A worker thread's keys, rate limits and quotas, shared with other machines through Redis. */
import { setTimeout as pause } from 'node:timers/promises';
import { LOST_REVOCATIONS } from '../../access/keys/key-store-errors.ts';
import type { QuotaTable } from '../../access/limits/quota-table.ts';
import type { RateLimiter } from '../../access/limits/rate-limiter.ts';
import { RedisConnection } from '../../access/redis/redis-connection.ts';
import { RedisKeyReader } from '../../access/redis/redis-key-reader.ts';
import { RedisKeys } from '../../access/redis/redis-keys.ts';
import { SharedLimiter } from '../../access/redis/shared-limiter.ts';
import { SharedQuota } from '../../access/redis/shared-quota.ts';
import type { Logger } from '../log.ts';
import { counter, gauge, type Metric } from '../metrics/metric.ts';
import type { WorkerKeys } from '../state/service-keys.ts';
import type { WorkerAccess } from './worker-access.ts';

/** A thread that cannot connect in this time serves without Redis until it can. */
const CONNECT_WITHIN_MS = 1000;

interface SharedAccessOptions {
  readonly limiter: RateLimiter;
  readonly quotaTable: QuotaTable;
  readonly log: Logger;
  readonly onProblem: (problem: string) => void;
}

export async function openSharedAccess(
  { settings, firstKeys }: Extract<WorkerKeys, { kind: 'redis' }>,
  { limiter, quotaTable, log, onProblem }: SharedAccessOptions,
): Promise<WorkerAccess> {
  const connection = new RedisConnection(settings);
  const onChange = () => onProblem(problem());
  const keys = new RedisKeyReader({
    store: new RedisKeys(connection, settings),
    connection,
    firstKeys,
    onDamage: (error) => log.error({ reason: error.message }, 'a key in Redis cannot be read'),
    onRevokedAgain: (ids) => log.warn({ keys: ids }, LOST_REVOCATIONS),
    onChange,
  });
  const sharedLimiter = new SharedLimiter({
    connection,
    isCluster: settings.mode.kind === 'cluster',
    prefix: settings.prefix,
    local: limiter,
    secret: () => keys.secret,
    alongside: () => keys.refresh(), // so that a revocation applies from the next call on
    onChange,
  });
  const quotas = new SharedQuota({ connection, prefix: settings.prefix, local: quotaTable, onChange });
  const problem = () => sharedLimiter.problem || quotas.problem || keys.problem;
  const prepared = connection
    .ready(CONNECT_WITHIN_MS)
    .then(() => Promise.all([sharedLimiter.prepare(), quotas.prepare()]));
  await Promise.race([prepared, pause(CONNECT_WITHIN_MS)]).catch(() => {}); // the guards report it
  return {
    findKey: (keyText) => keys.find(keyText),
    limiter,
    sharedLimiter,
    quotas,
    get problem() {
      return problem();
    },
    metrics: () => redisMetrics(sharedLimiter, quotas, problem() !== ''),
    close: () => {
      keys.close();
      sharedLimiter.close();
      quotas.close();
      connection.close();
    },
  };
}

function redisMetrics(limiter: SharedLimiter, quotas: SharedQuota, hasProblem: boolean): Metric[] {
  return [
    gauge(hasProblem ? 1 : 0, {
      name: 'toponym_redis_problem',
      help: '1 while a thread cannot use Redis: its calls are limited by this replica alone.',
      aggregator: 'max',
    }),
    counter(limiter.counts.roundTrips, {
      name: 'toponym_redis_round_trips_total',
      help: 'Ticks of the event loop whose calls were counted in Redis.',
    }),
    counter(limiter.counts.decidedLocally + quotas.counts.decidedLocally, {
      name: 'toponym_calls_limited_locally_total',
      help: 'Limits and quotas of calls that this replica decided alone because Redis could not.',
    }),
  ];
}
