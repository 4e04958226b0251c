/** A worker thread's keys, limits and quotas: of this machine alone, or shared through Redis. */
import type { KeyRecord } from '../../access/keys/key-record.ts';
import { QuotaTable } from '../../access/limits/quota-table.ts';
import { openRateLimiter, type RateLimiter } from '../../access/limits/rate-limiter.ts';
import type { SharedLimiter } from '../../access/redis/shared-limiter.ts';
import { openKeyReader } from '../../access/sqlite/key-reader.ts';
import type { Quotas } from '../../http/admission.ts';
import type { Logger } from '../log.ts';
import type { Metric } from '../metrics/metric.ts';
import type { WorkerConfig } from './worker-messages.ts';

export interface WorkerAccess {
  findKey(keyText: string): KeyRecord | undefined;
  /** Counts the calls of this machine. */
  readonly limiter: RateLimiter;
  /** Counts the calls of all machines; undefined without Redis. */
  readonly sharedLimiter: SharedLimiter | undefined;
  readonly quotas: Quotas;
  /** Why keys and limits are not shared now; empty if they are, or need not be. */
  readonly problem: string;
  metrics(): Metric[];
  close(): void;
}

export type AccessConfig = Pick<WorkerConfig, 'keys' | 'rateBuffer' | 'quotaBuffer'>;

/** `onProblem` is called when `problem` becomes empty or not empty. */
export async function openWorkerAccess(
  config: AccessConfig,
  log: Logger,
  onProblem: (problem: string) => void,
): Promise<WorkerAccess> {
  const limiter = openRateLimiter(config.rateBuffer);
  const quotaTable = new QuotaTable(config.quotaBuffer);
  if (config.keys.kind === 'redis') {
    // imported only if needed: loading the client library takes 0.2 s
    const { openSharedAccess } = await import('./shared-access.ts');
    return await openSharedAccess(config.keys, { limiter, quotaTable, log, onProblem });
  }
  const reader = openKeyReader(config.keys.path, (error) =>
    log.error({ reason: error.message }, 'the key store cannot be read: the last keys read stay in use'),
  );
  return {
    findKey: (keyText) => reader.find(keyText),
    limiter,
    sharedLimiter: undefined,
    quotas: { take: (call, decide) => decide(quotaTable.take(call)) },
    problem: '',
    metrics: () => [],
    close: () => reader.close(),
  };
}
