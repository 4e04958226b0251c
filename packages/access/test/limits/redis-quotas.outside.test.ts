import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { dayOf, withinOneDay } from '../../../../test/support/one-day.ts';
import {
  redisProgram,
  sharedRedis,
  startRedis,
  startRedisCluster,
  untilRedisDecides,
} from '../../../../test/support/redis.ts';
import { DAY_MS } from '../../src/limits/quota-table.ts';
import type { Allowance } from '../../src/limits/sliding-log.ts';
import { aMachine, callUntil, type Machine } from '../redis/a-redis.ts';
import { someSettings } from '../redis/some-settings.ts';

const { skip } = redisProgram;
const emptyRedis = sharedRedis();

function counterOf(keyId: string): string {
  return `toponym:{quotas}:${keyId}`;
}

/** Makes calls with a key in one tick. Returns how many were accepted. */
async function countAccepted(machines: readonly Machine[], call: { perDay: number; calls: number; keyId?: string }) {
  const taken = Array.from({ length: call.calls }, (_, i) =>
    machines[i % machines.length]!.takeDaily(call.perDay, call.keyId),
  );
  return (await Promise.all(taken)).filter(({ accepted }) => accepted).length;
}

/** The result of an action during which Redis has decided about all calls. `keyId` is a new key. */
async function decided<T>(machines: readonly Machine[], action: (keyId: string) => Promise<T>): Promise<T> {
  const decidedLocally = () => machines.reduce((sum, { limits }) => sum + limits.counts.decidedLocally, 0);
  const { result } = await untilRedisDecides(async (round) => {
    for (const machine of machines) await untilUsed(machine, true);
    const before = decidedLocally();
    const found = await action(`key of round ${round}`);
    return decidedLocally() === before ? { result: found } : undefined;
  });
  return result;
}

/** Calls with other keys until Redis is, or is not, in use. */
async function untilUsed(machine: Machine, isUsed: boolean): Promise<void> {
  await callUntil(machine, isUsed, (number) => machine.takeDaily(1, `other key ${number}`));
}

test('a batch takes its calls from the limit and the quota of all machines, or none of them', {
  skip,
}, async (context) => {
  await withinOneDay(async () => {
    const settings = someSettings((await emptyRedis()).url);
    const [one, other] = [await aMachine(context, settings), await aMachine(context, settings)] as const;
    const outcomes = (allowances: readonly Allowance[]) => allowances.map((each) => [each.accepted, each.remaining]);
    const found = await decided([one, other], async (keyId) => ({
      daily: outcomes([
        await one.takeDaily(1500, keyId, 1000),
        await other.takeDaily(1500, keyId, 501),
        await other.takeDaily(1500, keyId, 500),
      ]),
      perMinute: outcomes([
        await one.take(keyId, 1500, 1000),
        await other.take(keyId, 1500, 501),
        await other.take(keyId, 1500, 499),
        await one.take(keyId, 1500),
      ]),
    }));
    assert.deepEqual(found, {
      daily: [
        [true, 500],
        [false, 500],
        [true, 0],
      ],
      perMinute: [
        [true, 500],
        [false, 500],
        [true, 1],
        [true, 0],
      ],
    });
  });
});

test('machines share one quota, which ends at midnight UTC and then expires', { skip }, async (context) => {
  await withinOneDay(async () => {
    const redis = await emptyRedis();
    const settings = someSettings(redis.url);
    const machines = [await aMachine(context, settings), await aMachine(context, settings)] as const;
    const { count, keyId } = await decided(machines, async (keyId) => {
      return { count: await countAccepted(machines, { perDay: 70, calls: 130, keyId }), keyId };
    });
    assert.equal(count, 70);
    const { accepted, limit, remaining, resetMs, retryAfterMs } = await decided(machines, () =>
      machines[0].takeDaily(70, keyId),
    );
    const known = machines.map(({ quotas }) => quotas.read(keyId)?.calls);
    assert.deepEqual(known, [70, 70], 'each machine knows the calls of all');
    assert.deepEqual({ accepted, limit, remaining }, { accepted: false, limit: 70, remaining: 0 });
    const untilMidnightMs = (dayOf(Date.now()) + 1) * DAY_MS - Date.now();
    assert.equal(retryAfterMs, resetMs);
    assert.ok(Math.abs(resetMs - untilMidnightMs) < 60_000, `${resetMs}`);
    assert.equal((await machines[0].takeDaily(5, 'k2')).remaining, 4, 'other keys are counted separately');
    const restarted = await aMachine(context, settings);
    assert.equal((await decided([restarted], () => restarted.takeDaily(70, keyId))).accepted, false);
    const expiryMs = Number(await redis.cli('PTTL', counterOf(keyId)));
    assert.ok(expiryMs > DAY_MS && expiryMs <= 2 * DAY_MS, `${expiryMs}`);
  });
});

test('a new day starts a new quota; a clock that was set back does not', { skip }, async (context) => {
  await withinOneDay(async () => {
    const redis = await emptyRedis();
    const machine = await aMachine(context, someSettings(redis.url));
    const today = dayOf(Date.now());
    const takeAfter = (day: number) =>
      decided([machine], async (keyId) => {
        await redis.cli('HSET', counterOf(`${keyId} ${day}`), 'day', String(day), 'calls', '10');
        const allowance = await machine.takeDaily(10, `${keyId} ${day}`);
        return { ...allowance, countedOn: Number(await redis.cli('HGET', counterOf(`${keyId} ${day}`), 'day')) };
      });
    assert.equal((await takeAfter(today - 1)).remaining, 9);
    assert.equal((await takeAfter(today)).accepted, false);
    const later = await takeAfter(today + 1);
    assert.equal(later.accepted, false);
    assert.ok(later.retryAfterMs > DAY_MS);
    const { accepted, retryAfterMs, countedOn } = await takeAfter(today + 2);
    assert.equal(accepted, false);
    assert.ok(retryAfterMs <= DAY_MS, 'a clock that was wrong by days blocks nobody for days');
    assert.equal(countedOn, today);
  });
});

test('a call that has waited for Redis in vain is decided at once by the table of the machine', { skip }, async (t) => {
  const redis = await emptyRedis();
  const { limits, quotas } = await aMachine(t, someSettings(redis.url));
  const decisions: Allowance[] = [];
  const call = { keyId: 'k1', perDay: 5, nowMs: Date.now(), gaveUpOnRedis: true };
  limits.takeDailyCall(call, (allowance) => decisions.push(allowance), assert.fail);
  assert.deepEqual(
    decisions.map(({ remaining }) => remaining),
    [4],
  );
  assert.equal(quotas.read('k1')?.calls, 1);
});

test('a paused Redis: the table of the machine, which has counted all along, decides; then Redis does', {
  skip,
}, async (context) => {
  await withinOneDay(async () => {
    const redis = await startRedis(context);
    const machine = await aMachine(context, someSettings(redis.url));
    assert.equal(await countAccepted([machine], { perDay: 50, calls: 30 }), 30);
    redis.signal('SIGSTOP');
    assert.equal(await countAccepted([machine], { perDay: 50, calls: 30 }), 20);
    assert.match(machine.connection.problem, /no reply within 40 ms/);
    redis.signal('SIGCONT');
    const { accepted } = await decided([machine], async (keyId) => {
      await redis.cli('HSET', counterOf(keyId), 'calls', '10000');
      return await machine.takeDaily(10_000, keyId);
    });
    assert.equal(accepted, false, 'only Redis has counted 10,000 calls');
  });
});

test('a quota that was used up while Redis was gone is not granted again, until Redis has a new day', {
  skip,
}, async (context) => {
  await withinOneDay(async () => {
    const redis = await emptyRedis();
    const machine = await aMachine(context, someSettings(redis.url));
    const { accepted } = await decided([machine], async (keyId) => {
      assert.equal(await countAccepted([machine], { perDay: 10, calls: 15, keyId }), 10);
      await redis.cli('FLUSHALL'); // as if it had been gone meanwhile
      assert.equal(await countAccepted([machine], { perDay: 10, calls: 15, keyId }), 0);
      assert.equal((await machine.takeDaily(11, keyId)).accepted, true);
      await redis.cli('HSET', counterOf(keyId), 'day', String(dayOf(Date.now()) + 1), 'calls', '0');
      return await machine.takeDaily(11, keyId);
    });
    assert.equal(accepted, true, 'the clock of Redis was a little ahead of midnight');
  });
});

test('a Redis that has lost calls, after a crash, gets them back from the machines that know them', {
  skip,
}, async (context) => {
  await withinOneDay(async () => {
    const redis = await emptyRedis();
    const settings = someSettings(redis.url);
    const [first, second, third] = [
      await aMachine(context, settings),
      await aMachine(context, settings),
      await aMachine(context, settings),
    ];
    const accepted = await decided([first, second, third], async (keyId) => {
      assert.equal(await countAccepted([first, second], { perDay: 10, calls: 14, keyId }), 10);
      await redis.cli('FLUSHALL');
      // the second machine has seen that the quota is used up, the third one has never seen the key
      const afterwards = [await second.takeDaily(10, keyId)];
      assert.ok(Number(await redis.cli('PTTL', counterOf(keyId))) > DAY_MS, 'the number expires, too');
      afterwards.push(await third.takeDaily(10, keyId), await first.takeDaily(11, keyId));
      assert.equal(await redis.cli('HGET', counterOf(keyId), 'calls'), '11');
      return afterwards.map((allowance) => allowance.accepted);
    });
    assert.deepEqual(accepted, [false, false, true]);
  });
});

test('a full or read-only Redis: used-up quotas stay used up, and the machine decides about others', {
  skip,
}, async (context) => {
  await withinOneDay(async () => {
    const redis = await startRedis(context);
    const settings = someSettings(redis.url);
    const machine = await aMachine(context, settings);
    const other = await aMachine(context, settings);
    for (const keyId of ['used up 0', 'used up 1']) {
      assert.equal(await countAccepted([other], { perDay: 50, calls: 90, keyId }), 50);
    }
    const faults = [
      { break: ['CONFIG', 'SET', 'maxmemory', '1'], repair: ['CONFIG', 'SET', 'maxmemory', '0'], problem: /^OOM/ },
      { break: ['REPLICAOF', '127.0.0.1', '1'], repair: ['REPLICAOF', 'NO', 'ONE'], problem: /^READONLY/ },
    ];
    for (const [i, fault] of faults.entries()) {
      await redis.cli(...fault.break);
      assert.equal(await countAccepted([machine], { perDay: 3, calls: 8, keyId: `new key ${i}` }), 3);
      await waitUntil('the fault is reported', async () => {
        await machine.takeDaily(1, 'any key');
        return fault.problem.test(machine.connection.problem);
      });
      await waitUntil('Redis refuses a call that this machine alone would accept', async () => {
        return !(await machine.takeDaily(50, `used up ${i}`)).accepted;
      });
      await redis.cli(...fault.repair);
      await untilUsed(machine, true);
    }
  });
});

test('a cluster: all quotas are in one slot, and move to the replica of a lost master', { skip }, async (context) => {
  await withinOneDay(async () => {
    const cluster = await startRedisCluster(context);
    const settings = someSettings(cluster.urls, 'cluster');
    const machine = await aMachine(context, settings);
    const machines = [machine, await aMachine(context, settings)];
    const { count, keyId } = await decided(machines, async (keyId) => {
      return { count: await countAccepted(machines, { perDay: 20, calls: 50, keyId }), keyId };
    });
    assert.equal(count, 20);
    const master = await cluster.masterOf(counterOf(keyId));
    assert.match(await master.cli('HGETALL', counterOf(keyId)), /calls\s+20/);
    await waitUntil('the replica has the calls', async () => {
      return /offset=(\d+),.*master_repl_offset:\1\b/s.test(await master.ask('INFO replication'));
    });
    await master.kill();
    await untilUsed(machine, false);
    assert.equal((await decided([machine], () => machine.takeDaily(20, keyId))).accepted, false);
  });
});
