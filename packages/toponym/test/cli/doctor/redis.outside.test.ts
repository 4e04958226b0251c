import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { writeKeyCopy } from 'toponym-access/keys/key-copy';
import { NOTHING_SEEN } from 'toponym-access/keys/keys-in-memory';
import { RedisKeys } from 'toponym-access/keys/redis-keys';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { freePort } from '../../../../../test/support/free-port.ts';
import {
  redisProgram,
  SENTINEL_MASTER,
  sharedRedis,
  startRedis,
  startRedisCluster,
  startSentinels,
} from '../../../../../test/support/redis.ts';
import { aConnection } from '../../../../access/test/redis/a-redis.ts';
import type { DoctorContext } from '../../../src/cli/doctor/check.ts';
import { redisSettings } from '../../../src/cli/settings/read-settings.ts';
import { aContext, textOf } from './a-context.ts';

const { skip } = redisProgram;
const emptyRedis = sharedRedis();

async function examine(context: TestContext, flags: Record<string, string>): Promise<string> {
  return await textOf('Redis', aContext(context, { flags }));
}

async function linesOf(doctor: DoctorContext): Promise<string[]> {
  return (await textOf('Redis', doctor)).split('\n');
}

async function aStore(context: TestContext, url: string) {
  const doctor = aContext(context, { flags: { redis: url } });
  const settings = redisSettings(doctor.settings);
  assert.ok(settings !== undefined);
  return { doctor, settings, store: new RedisKeys(await aConnection(context, settings)) };
}

test('the keys of a good Redis are counted', { skip }, async (context) => {
  const { doctor, store } = await aStore(context, (await emptyRedis()).url);
  await store.create({ label: 'one' }, Date.now());
  const [keys, ...others] = await linesOf(doctor);
  assert.match(keys ?? '', /^ok: Redis at 127\.0\.0\.1:\d+: 1 valid key \(1 never used\), 0 expired, 0 revoked$/);
  assert.deepEqual(others, []);
});

test('a damaged key is a problem beside the keys that work', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { doctor, store } = await aStore(context, redis.url);
  await store.create({ label: 'good' }, Date.now());
  const { record } = await store.create({ label: 'bad' }, Date.now());
  await redis.cli('HSET', 'toponym:{keys}:records', record.id, '{"id":"');
  const [keys, damage] = (await linesOf(doctor)).slice(-2);
  assert.match(keys ?? '', /1 valid key/);
  assert.match(damage ?? '', new RegExp(`^problem: column hash of key ${record.id} cannot be read`));
});

test('a Redis that has lost the keys of the copy is a problem', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { doctor, settings, store } = await aStore(context, redis.url);
  await store.create({ label: 'old' }, Date.now());
  mkdirSync(doctor.state.path, { recursive: true });
  writeKeyCopy(doctor.state.redisKeysPath, settings, await store.readChanges(NOTHING_SEEN));
  await redis.cli('FLUSHALL');
  const line = /^problem: Redis has lost the keys\. .*its copy.* -> .* toponym keys copy --from redis-copy --to redis$/;
  assert.match((await linesOf(doctor)).at(-1) ?? '', line);
});

test('a Redis that is gone, or has another password, is a problem', { skip }, async (context) => {
  const gone = await examine(context, { redis: `redis://127.0.0.1:${await freePort()}` });
  assert.match(gone, /^problem: .*connection refused.*does not start -> Check --redis/);
  const locked = await startRedis(context, '--requirepass', 'right-secret');
  let wrong = '';
  await waitUntil('Redis replies within the time limit of doctor, which a busy machine may exceed', async () => {
    wrong = await examine(context, { redis: locked.url, redisPassword: 'wrong-secret' });
    return !wrong.includes('no reply within');
  });
  assert.match(wrong, /^problem: .*WRONGPASS/);
  assert.doesNotMatch(wrong, /-secret/);
});

test('a cluster and sentinels: the master that has the keys', { skip }, async (context) => {
  const cluster = await startRedisCluster(context);
  assert.match(await examine(context, { redis: cluster.urls, redisMode: 'cluster' }), /^ok: .*no keys yet/);
  const { urls } = await startSentinels(context);
  assert.match(await examine(context, { redis: urls, redisMode: `sentinel:${SENTINEL_MASTER}` }), /^ok: .*no keys yet/);
});
