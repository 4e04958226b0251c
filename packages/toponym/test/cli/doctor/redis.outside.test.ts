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

test('a good Redis: server and keys', { skip }, async (context) => {
  const { url } = await startRedis(context, '--appendonly', 'yes');
  const { doctor, store } = await aStore(context, url);
  await store.create({ label: 'one' }, Date.now());
  const lines = await linesOf(doctor);
  assert.match(lines[0] ?? '', /^ok: Redis \d+\.\d+\.\d+ on port \d+: master, writable, keeps its data$/);
  assert.match(lines[1] ?? '', /^ok: Redis at 127\.0\.0\.1:\d+: 1 valid key \(1 never used\), 0 expired, 0 revoked$/);
  assert.equal(lines.length, 2);
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

test('a server that evicts keys, has them only in memory, or is a replica', { skip }, async (context) => {
  const master = await startRedis(context, '--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
  const lines = await examine(context, { redis: master.url });
  assert.match(lines, /^problem: .*maxmemory-policy allkeys-lru/m);
  assert.match(lines, /^warning: .*only in memory/m);
  const replica = await startRedis(context, '--replicaof', `127.0.0.1 ${master.port}`);
  assert.match(
    await examine(context, { redis: replica.url }),
    new RegExp(`^problem: .*is a replica.* -> Name its master 127\\.0\\.0\\.1:${master.port}`, 'm'),
  );
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

test('a user that may not run INFO is a warning, because the service does not need it', { skip }, async (context) => {
  const server = await emptyRedis();
  await server.cli('ACL', 'SETUSER', 'toponym', 'on', '>right-secret', '~*', '&*', '+@all', '-info', '-ping');
  const redis = server.url.replace('//', '//toponym@');
  const lines = await examine(context, { redis, redisPassword: 'right-secret' });
  assert.match(lines, /^warning: .*could not be examined: NOPERM .*info.* -> Allow INFO\.\nok: .*no keys yet/);
});

test('a cluster: the master that has the keys', { skip }, async (context) => {
  const { urls } = await startRedisCluster(context);
  const lines = await examine(context, { redis: urls, redisMode: 'cluster' });
  assert.match(lines, /^warning: Redis .*only in memory.*\nok: .*no keys yet/);
});

test('sentinels: the master that they name', { skip }, async (context) => {
  const { urls } = await startSentinels(context);
  const lines = await examine(context, { redis: urls, redisMode: `sentinel:${SENTINEL_MASTER}` });
  assert.match(lines, /^warning: Redis .*only in memory.*\nok: .*no keys yet/);
});
