import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { waitUntil } from '../../../../test/support/deadline.ts';
import {
  type RedisServer,
  redisProgram,
  SENTINEL_MASTER,
  sharedRedis,
  startRedis,
  startRedisCluster,
  startSentinels,
  untilRedisDecides,
} from '../../../../test/support/redis.ts';
import { aMachine, callUntil, countAccepted, type Machine, useUpLimit } from '../redis/a-redis.ts';
import { someSettings } from '../redis/some-settings.ts';

const { skip } = redisProgram;
const emptyRedis = sharedRedis();

/** Calls without pause until Redis is, or is not, in use. */
async function untilUsed(machine: Machine, isUsed: boolean): Promise<void> {
  await callUntil(machine, isUsed, (number) => machine.take(`waiting client ${number}`));
}

test('machines share one limit', { skip }, async (context) => {
  const redis = await emptyRedis();
  const settings = someSettings(redis.url);
  const machines = [await aMachine(context, settings), await aMachine(context, settings)];
  assert.equal((await useUpLimit(machines)).accepted, 60);
});

test('calls of one tick are counted by one script call', { skip }, async (context) => {
  const redis = await emptyRedis();
  const machine = await aMachine(context, someSettings(redis.url));
  await machine.take('the script is known to the server now');
  await untilUsed(machine, true);
  const scriptCalls = async () => /cmdstat_evalsha:calls=(\d+)/.exec(await redis.cli('INFO', 'commandstats'))?.[1];
  const before = Number(await scriptCalls());
  const taken = await Promise.all(Array.from({ length: 100 }, (_, i) => machine.take(`client ${i % 40}`)));
  assert.equal(taken.filter(({ accepted }) => accepted).length, 100);
  assert.equal(Number(await scriptCalls()) - before, 1);
});

test('limits of keys are separate, and any size up to the largest works', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { take } = await aMachine(context, someSettings(redis.url));
  const taken = await Promise.all(Array.from({ length: 1200 }, () => take('client', 1000)));
  assert.equal(taken.filter(({ accepted }) => accepted).length, 1000);
  assert.equal((await take('client')).accepted, true);
});

test('a paused Redis: the local log, which has counted all along, decides; then Redis does', {
  skip,
}, async (context) => {
  const redis = await startRedis(context);
  const machine = await aMachine(context, someSettings(redis.url));
  assert.equal(await countAccepted([machine], 'client', 50), 50);
  const before = machine.limits.counts.decidedLocally;
  redis.signal('SIGSTOP');
  assert.equal(await countAccepted([machine], 'client', 50), 10, 'this machine has accepted 50 before');
  assert.match(machine.connection.problem, /no reply within 40 ms/);
  assert.equal(machine.limits.counts.decidedLocally - before, 10);
  redis.signal('SIGCONT');
  await untilUsed(machine, true);
  assert.equal(await countAccepted([machine], 'another client', 70), 60);
});

test('a client whom Redis has refused stays refused while Redis is paused', { skip }, async (context) => {
  const redis = await startRedis(context);
  const settings = someSettings(redis.url);
  const machines = [await aMachine(context, settings), await aMachine(context, settings)];
  const { client } = await useUpLimit(machines);
  redis.signal('SIGSTOP');
  assert.equal(await countAccepted(machines, client, 20), 0, 'each machine has accepted only 30 before');
  assert.equal(await countAccepted(machines, 'another client', 20), 20);
});

test('a killed Redis comes back by itself', { skip }, async (context) => {
  const redis = await startRedis(context);
  const machine = await aMachine(context, someSettings(redis.url));
  await machine.take('client');
  await redis.kill();
  await untilUsed(machine, false);
  assert.equal(await countAccepted([machine], 'offline client', 70), 60);
  await redis.start();
  await untilUsed(machine, true);
  assert.equal(await countAccepted([machine], 'offline client', 70), 0, 'this machine has accepted 60 before');
  assert.equal(await countAccepted([machine], 'another client', 70), 60);
});

test('calls that a machine refuses by its own log are not counted in Redis', { skip }, async (context) => {
  const redis = await emptyRedis();
  const settings = someSettings(redis.url);
  const machine = await aMachine(context, settings);
  assert.equal(await countAccepted([machine], 'client', 60), 60);
  await redis.cli('FLUSHALL');
  assert.equal(await countAccepted([machine], 'client', 70), 0);
  const other = await aMachine(context, settings);
  assert.equal((await other.take('client')).remaining, 59);
});

test('names of logs cannot be computed from an address', { skip }, async (context) => {
  const redis = await emptyRedis();
  const machine = await aMachine(context, someSettings(redis.url));
  await countAccepted([machine], '192.0.2.1', 1);
  const names = await redis.cli('KEYS', 'toponym:{limits0}:*');
  for (const algorithm of ['sha1', 'sha256', 'sha3-256'])
    assert.ok(!names.includes(hash(algorithm, '|192.0.2.1', 'hex').slice(0, 40)), names);
  assert.ok(names.includes(hash('sha3-256', 'secret|192.0.2.1', 'hex').slice(0, 40)), names);
});

/** Calls as a client that only Redis blocks, until Redis has refused some probes. */
async function assertStaysBlocked({ take, connection }: Machine, client: string, redis: RedisServer): Promise<void> {
  await redis.cli('CONFIG', 'RESETSTAT');
  let calls = 0;
  await waitUntil('Redis has refused three probes', async () => {
    for (let i = 0; i < 10; i++) {
      // Redis cannot count this call, so it is probed again even after a late reply; always
      // another client, because the machine itself refuses one that has used up its limit
      await take(`stranger ${calls++}`);
      const { accepted } = await take(client);
      // on a busy machine, a reply may be late
      if (accepted) assert.match(connection.problem, /no reply/);
    }
    const refused = /cmdstat_set:.*rejected_calls=(\d+)/.exec(await redis.cli('INFO', 'commandstats'))?.[1];
    return Number(refused) >= 3;
  });
}

test('a full or read-only Redis is reported, and the local log decides about clients that are not blocked', {
  skip,
}, async (context) => {
  const redis = await startRedis(context);
  const settings = someSettings(redis.url);
  const machine = await aMachine(context, settings);
  const other = await aMachine(context, settings);
  const faults = [
    { break: ['CONFIG', 'SET', 'maxmemory', '1'], repair: ['CONFIG', 'SET', 'maxmemory', '0'], problem: /^OOM/ },
    { break: ['REPLICAOF', '127.0.0.1', '1'], repair: ['REPLICAOF', 'NO', 'ONE'], problem: /^READONLY/ },
  ];
  for (const fault of faults) {
    const { client: blocked } = await useUpLimit([other]);
    await redis.cli(...fault.break);
    assert.equal(await countAccepted([machine], `client ${fault.problem}`, 70), 60);
    await waitUntil('the fault is reported', async () => {
      await machine.take('any client');
      return fault.problem.test(machine.connection.problem);
    });
    await assertStaysBlocked(machine, blocked, redis);
    await redis.cli(...fault.repair);
    await untilUsed(machine, true);
  }
});

test('a cluster: one limit; a lost master costs only its part, until its replica takes over', {
  skip,
}, async (context) => {
  const cluster = await startRedisCluster(context);
  const configure = async (name: string, value: string) => {
    for (const server of cluster.servers) await server.tryCli('CONFIG', 'SET', name, value);
  };
  await configure('cluster-require-full-coverage', 'no');
  await configure('cluster-replica-no-failover', 'yes');
  const settings = someSettings(cluster.urls, 'cluster');
  const machines = [await aMachine(context, settings), await aMachine(context, settings)];
  for (let i = 0; i < 4; i++) assert.equal((await useUpLimit(machines)).accepted, 60);
  const [machine, other] = machines as [Machine, Machine];
  const master = await cluster.masterOf('toponym:{limits0}:x');
  await master.kill();
  await untilUsed(machine, false);
  const { lost, kept } = await clientsByPart(machine);
  assert.ok(lost.length > 0);
  const accepted = await untilRedisDecides(async (round) => {
    const before = other.limits.counts.decidedLocally;
    const count = await countAccepted([other], kept[round] ?? assert.fail('Redis is late every time'), 70);
    return other.limits.counts.decidedLocally === before ? count : undefined;
  });
  assert.equal(accepted, 59, 'the first machine has made one call');
  assert.notEqual(machine.connection.problem, '');
  await configure('cluster-replica-no-failover', 'no');
  await untilUsed(machine, true);
  for (let i = 0; i < 4; i++) assert.equal((await useUpLimit([machine])).accepted, 60);
});

/** Makes a call as each of some clients. Tells those whose calls Redis does not count from others. */
async function clientsByPart({ take, limits }: Machine): Promise<{ lost: string[]; kept: string[] }> {
  const parts = { lost: [] as string[], kept: [] as string[] };
  for (let i = 0; i < 40; i++) {
    const client = `client of a part ${i}`;
    const before = limits.counts.decidedLocally;
    await take(client);
    (limits.counts.decidedLocally > before ? parts.lost : parts.kept).push(client);
  }
  return parts;
}

test('sentinels: the limit moves to the new master', { skip }, async (context) => {
  const { master, urls } = await startSentinels(context);
  const machine = await aMachine(context, someSettings(urls, `sentinel:${SENTINEL_MASTER}`));
  assert.equal((await useUpLimit([machine])).accepted, 60);
  await master.kill();
  await untilUsed(machine, false);
  await untilUsed(machine, true);
  assert.equal((await useUpLimit([machine])).accepted, 60);
});
