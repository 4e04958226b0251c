/** Connections, limiters and key stores on real Redis servers. */
import type { TestContext } from 'node:test';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { untilRedisDecides } from '../../../../test/support/redis.ts';
import { RedisLimits } from '../../src/limits/limits.ts';
import { createQuotaBuffer, QuotaTable } from '../../src/limits/quota-table.ts';
import { createRateBuffer, RateLimiter } from '../../src/limits/rate-limiter.ts';
import type { Allowance } from '../../src/limits/sliding-log.ts';
import { RedisConnection } from '../../src/redis/redis-connection.ts';
import type { RedisSettings } from '../../src/redis/redis-settings.ts';

type Ending = Pick<TestContext, 'after'>;

export async function aConnection(context: Ending, settings: RedisSettings): Promise<RedisConnection> {
  const connection = new RedisConnection(settings);
  context.after(() => connection.close());
  await connection.ready(10_000);
  return connection;
}

export interface Machine {
  readonly connection: RedisConnection;
  readonly limits: RedisLimits;
  readonly quotas: QuotaTable;
  take(client: string, perMinute?: number, calls?: number): Promise<Allowance>;
  takeDaily(perDay: number, keyId?: string, calls?: number): Promise<Allowance>;
}

/** The limits of one machine, which has tables of its own. */
export async function aMachine(context: Ending, settings: RedisSettings): Promise<Machine> {
  const connection = await aConnection(context, settings);
  const quotas = new QuotaTable(createQuotaBuffer());
  const limiter = new RateLimiter(createRateBuffer());
  const limits = new RedisLimits({ connection, limiter, quotas, secret: () => 'secret' });
  await limits.prepare(); // as the service does, so that the first calls are not late
  return {
    connection,
    limits,
    quotas,
    take: (group, perMinute, calls) => {
      const ownLimit = perMinute === undefined ? undefined : { keyId: 'key', perMinute };
      const { promise, resolve, reject } = Promise.withResolvers<Allowance>();
      limits.takeCall({ group, ownLimit, nowMs: performance.now(), calls }, resolve, reject);
      return promise;
    },
    takeDaily: (perDay, keyId = 'k1', calls = 1) => {
      const { promise, resolve, reject } = Promise.withResolvers<Allowance>();
      limits.takeDailyCall({ keyId, perDay, nowMs: Date.now(), calls }, resolve, reject);
      return promise;
    },
  };
}

/** Makes calls with `call` until Redis is, or is not, in use. `call` gets a number. */
export async function callUntil(
  { connection }: Machine,
  isUsed: boolean,
  call: (number: number) => Promise<unknown>,
): Promise<void> {
  let calls = 0;
  await waitUntil(isUsed ? 'Redis is used' : 'Redis is not used', async () => {
    await call(calls++);
    return (connection.problem === '') === isUsed;
  });
}

/** Takes calls one after the other. Returns how many were accepted. */
export async function countAccepted(machines: readonly Machine[], client: string, calls: number): Promise<number> {
  let accepted = 0;
  for (let i = 0; i < calls; i++) {
    const allowance = await machines[i % machines.length]!.take(client);
    if (allowance.accepted) accepted++;
  }
  return accepted;
}

/** Makes 70 calls as a new client, until Redis has decided about all calls of one client. */
export async function useUpLimit(machines: readonly Machine[]): Promise<{ client: string; accepted: number }> {
  const decidedLocally = () => machines.reduce((sum, { limits }) => sum + limits.counts.decidedLocally, 0);
  return await untilRedisDecides(async () => {
    const client = `new client ${newClients++}`;
    const before = decidedLocally();
    const accepted = await countAccepted(machines, client, 70);
    return decidedLocally() === before ? { client, accepted } : undefined;
  });
}

let newClients = 0;
