import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type RedisServer, redisProgram, sharedRedis, startRedis } from '../../../../test/support/redis.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { parseTakeReply, TAKE_CALLS } from '../../src/limits/redis-counter.ts';
import { type Allowance, type SlidingLog, takeCall, WINDOW_MS } from '../../src/limits/sliding-log.ts';
import type { RedisNames } from '../../src/redis/redis-connection.ts';
import { aConnection } from '../redis/a-redis.ts';
import { someSettings } from '../redis/some-settings.ts';

const { skip } = redisProgram;
const LOG = 'log';

const emptyRedis = sharedRedis();

async function aScript(context: TestContext, redis: RedisServer) {
  const connection = await aConnection(context, someSettings(redis.url));
  const command = async (...words: string[]) => await connection.send(LOG, words);
  const microseconds = async () => {
    const [seconds, rest] = ((await command('TIME')) as string[]).map(Number);
    return (seconds ?? 0) * 1e6 + (rest ?? 0);
  };
  return {
    microseconds,
    /** Each limit is that of one call, or of a batch of `calls`. */
    take: async (limits: readonly number[], logs: readonly string[] = limits.map(() => LOG), calls = 1) => {
      const args = limits.flatMap((limit) => [String(limit), String(calls)]);
      return parseTakeReply(await connection.run(TAKE_CALLS, logs as unknown as RedisNames, args), limits);
    },
    /** Fills the log with calls of these ages, oldest first. */
    async fill(agesMs: readonly number[]): Promise<void> {
      const now = await microseconds();
      await command('DEL', LOG);
      if (agesMs.length > 0) await command('RPUSH', LOG, ...agesMs.map((age) => String(now - age * 1000)));
    },
  };
}

test('a call is accepted if fewer than the limit were accepted in the 60 seconds before', { skip }, async (context) => {
  const { take } = await aScript(context, await emptyRedis());
  const { allowances } = await take([3, 3, 3, 3]);
  assert.deepEqual(
    allowances.map((allowance) => [allowance?.accepted, allowance?.remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
});

test('the script decides as the log in memory does, for random ages and limits', { skip }, async (context) => {
  const { take, fill, microseconds } = await aScript(context, await emptyRedis());
  /** Decides about a call after calls of these ages, again if too much time has passed meanwhile. */
  const takeAfter = async (agesMs: readonly number[], limit: number, calls: number) => {
    for (;;) {
      const startedAt = await microseconds();
      await fill(agesMs);
      const [allowance] = (await take([limit], [LOG], calls)).allowances;
      if ((await microseconds()) - startedAt < 500_000) return allowance;
    }
  };
  const random = seededRandom(19);
  for (let round = 0; round < 60; round++) {
    const count = random(80);
    // a second around the end of the window is left out, because time passes between the steps
    const agesMs = Array.from({ length: count }, () => random(2) * 62_000 + random(59_000)).sort((a, b) => b - a);
    const limit = 1 + random(70);
    const calls = 1 + (round % 2) * random(limit);
    const slots = 128;
    const log: SlidingLog = { cells: new Float64Array(slots + 2), start: 0, slots };
    for (const age of agesMs) takeCall(log, { limit: slots, nowMs: 1e6 - age });
    const expected = takeCall(log, { limit, nowMs: 1e6, calls });
    const actual = await takeAfter(agesMs, limit, calls);
    const about = (ms: number | undefined) => Math.round((ms ?? 0) / 1000);
    assert.equal(actual?.accepted, expected.accepted, `round ${round}`);
    assert.equal(actual?.remaining, expected.remaining, `round ${round}`);
    assert.ok(Math.abs(about(actual?.resetMs) - about(expected.resetMs)) <= 1, `round ${round}`);
  }
});

test('a batch of 1,000 calls is counted as a whole or not at all', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { take, fill } = await aScript(context, redis);
  await fill([]);
  const batch = async () => (await take([1500], [LOG], 1000)).allowances[0];
  assert.deepEqual(pick(await batch()), [true, 500]);
  assert.deepEqual(pick(await batch()), [false, 500]);
  assert.equal(await redis.cli('LLEN', LOG), '1000');
});

function pick(allowance: Allowance | undefined) {
  return [allowance?.accepted, allowance?.remaining];
}

test('calls that have left the window are removed, and an unused log goes away by itself', {
  skip,
}, async (context) => {
  const redis = await emptyRedis();
  const { take, fill } = await aScript(context, redis);
  await fill([70_000, 65_000, 1000]);
  await take([10]);
  assert.equal(await redis.cli('LLEN', LOG), '2');
  const newestMs = Number(await redis.cli('LINDEX', LOG, '-1')) / 1000;
  const keptMs = Number(await redis.cli('PEXPIRETIME', LOG)) - newestMs;
  assert.ok(keptMs > WINDOW_MS && keptMs < WINDOW_MS + 2000, String(keptMs));
});

test('after the clock is set back, nobody is refused for longer than the window', { skip }, async (context) => {
  const { take, fill } = await aScript(context, await emptyRedis());
  await fill([-3_600_000 + 20_000, -3_600_000]); // made when the clock was an hour ahead
  const [allowance] = (await take([2])).allowances;
  assert.equal(allowance?.accepted, false);
  assert.ok(Math.abs((allowance?.retryAfterMs ?? 0) - 40_000) < 1000, String(allowance?.retryAfterMs));
});

test('a server without memory still refuses blocked clients, and leaves others undecided', {
  skip,
}, async (context) => {
  const redis = await startRedis(context);
  const { take } = await aScript(context, redis);
  await take([1], ['blocked']);
  await redis.cli('CONFIG', 'SET', 'maxmemory', '1');
  const { problem, allowances } = await take([1, 1], ['blocked', 'other']);
  assert.match(problem, /^OOM /);
  assert.deepEqual(
    allowances.map((allowance) => allowance?.accepted),
    [false, undefined],
  );
});

test('a read-only replica leaves calls undecided', { skip }, async (context) => {
  const redis = await startRedis(context);
  const { take } = await aScript(context, redis);
  await redis.cli('REPLICAOF', '127.0.0.1', '1');
  const { problem, allowances } = await take([1]);
  assert.match(problem, /^READONLY /);
  assert.deepEqual(allowances, [undefined]);
});

test('calls of one tick with one long log do not search it again and again', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { take, fill } = await aScript(context, redis);
  const lookups = async () => Number(/cmdstat_lindex:calls=(\d+)/.exec(await redis.cli('INFO', 'commandstats'))?.[1]);
  await fill(Array.from({ length: 10_000 }, (_, i) => (i < 3_000 ? 70_000 : 30_000)));
  await take([1], ['other']); // so that the counter exists
  const before = await lookups();
  const { allowances } = await take(Array.from({ length: 100 }, () => 10_000));
  assert.equal(allowances.at(-1)?.remaining, 2_900);
  // the newest call, the oldest, and the one that leaves the window next; and one search
  assert.ok((await lookups()) - before <= 3 * 100 + 2 * 14, `${(await lookups()) - before} lookups`);
});
