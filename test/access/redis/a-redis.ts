/** Connections, limiters and key stores on real Redis servers. */
import type { TestContext } from 'node:test';
import { createRateBuffer, openRateLimiter } from '../../../src/access/limits/rate-limiter.ts';
import type { Allowance } from '../../../src/access/limits/sliding-log.ts';
import { RedisConnection } from '../../../src/access/redis/redis-connection.ts';
import type { RedisSettings } from '../../../src/access/redis/redis-settings.ts';
import { SharedLimiter } from '../../../src/access/redis/shared-limiter.ts';
import { untilRedisDecides } from '../../support/redis.ts';

type Ending = Pick<TestContext, 'after'>;

export async function aConnection(context: Ending, settings: RedisSettings): Promise<RedisConnection> {
  const connection = new RedisConnection(settings);
  context.after(() => connection.close());
  await connection.ready(10_000);
  return connection;
}

export interface Machine {
  readonly limiter: SharedLimiter;
  take(client: string, perMinute?: number): Promise<Allowance>;
}

/** The limiter of one machine, which has a local limiter of its own. */
export async function aMachine(context: Ending, settings: RedisSettings): Promise<Machine> {
  const connection = await aConnection(context, settings);
  const limiter = new SharedLimiter({
    connection,
    isCluster: settings.mode.kind === 'cluster',
    prefix: settings.prefix,
    local: openRateLimiter(createRateBuffer()),
    secret: () => 'secret',
    alongside: () => Promise.resolve(),
    onChange: () => {},
  });
  context.after(() => limiter.close());
  return {
    limiter,
    take: (group, perMinute) => {
      const ownLimit = perMinute === undefined ? undefined : { keyId: 'key', perMinute };
      const { promise, resolve, reject } = Promise.withResolvers<Allowance>();
      limiter.take({ group, ownLimit, nowMs: performance.now() }, resolve, reject);
      return promise;
    },
  };
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
  const decidedLocally = () => machines.reduce((sum, { limiter }) => sum + limiter.counts.decidedLocally, 0);
  return await untilRedisDecides(async () => {
    const client = `new client ${newClients++}`;
    const before = decidedLocally();
    const accepted = await countAccepted(machines, client, 70);
    return decidedLocally() === before ? { client, accepted } : undefined;
  });
}

let newClients = 0;
