import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { writeKeyCopy } from '../../../src/access/keys/key-copy.ts';
import { NOTHING_SEEN } from '../../../src/access/keys/keys-in-memory.ts';
import { RedisKeys } from '../../../src/access/keys/redis-keys.ts';
import { checkRedis } from '../../../src/cli/doctor/redis.ts';
import { aConnection } from '../../access/redis/a-redis.ts';
import { freePort } from '../../support/free-port.ts';
import {
  redisProgram,
  SENTINEL_MASTER,
  sharedRedis,
  startRedis,
  startRedisCluster,
  startSentinels,
} from '../../support/redis.ts';
import { aContext, levelsOf, linesOf } from './a-context.ts';

const { skip } = redisProgram;
const emptyRedis = sharedRedis();

async function examine(context: TestContext, flags: Record<string, string>) {
  return await checkRedis(aContext(context, { flags }));
}

async function aStore(context: TestContext, url: string) {
  const doctor = aContext(context, { flags: { redis: url } });
  assert.ok(doctor.redis !== undefined);
  return { doctor, store: new RedisKeys(await aConnection(context, doctor.redis)) };
}

test('a good Redis: round trip, clock, server and keys', { skip }, async (context) => {
  const { url } = await startRedis(context, '--appendonly', 'yes');
  const { doctor, store } = await aStore(context, url);
  await store.create({ label: 'one' }, Date.now());
  const lines = linesOf(await checkRedis(doctor));
  assert.match(lines[0] ?? '', /^\w+: 127\.0\.0\.1:\d+ answers in \d+\.\d ms/); // slow on a busy machine
  assert.match(lines[1] ?? '', /^ok: its clock and the one of this machine differ by \d\.\d s$/);
  assert.match(lines[2] ?? '', /^ok: Redis \d+\.\d+\.\d+ on port \d+: master, writable, keeps its data$/);
  assert.match(lines[3] ?? '', /^ok: Redis at 127\.0\.0\.1:\d+: 1 valid key \(1 never used\), 0 expired, 0 revoked$/);
  assert.equal(lines.length, 4);
});

test('a damaged key is a problem beside the keys that work', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { doctor, store } = await aStore(context, redis.url);
  await store.create({ label: 'good' }, Date.now());
  const { record } = await store.create({ label: 'bad' }, Date.now());
  await redis.cli('HSET', 'toponym:{keys}:records', record.id, '{"id":"');
  const [keys, damage] = linesOf(await checkRedis(doctor)).slice(-2);
  assert.match(keys ?? '', /1 valid key/);
  assert.match(damage ?? '', new RegExp(`^problem: column hash of key ${record.id} cannot be read`));
});

test('a Redis that has lost the keys of the copy is a problem', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { doctor, store } = await aStore(context, redis.url);
  assert.ok(doctor.redis !== undefined);
  await store.create({ label: 'old' }, Date.now());
  mkdirSync(doctor.state.path, { recursive: true });
  writeKeyCopy(doctor.state.redisKeysPath, doctor.redis, await store.readChanges(NOTHING_SEEN));
  await redis.cli('FLUSHALL');
  const line = /^problem: Redis has lost the keys -> .* toponym keys copy --from redis-copy --to redis$/;
  assert.match(linesOf(await checkRedis(doctor)).at(-1) ?? '', line);
});

test('memory, persistence and role of a server are examined', { skip }, async (context) => {
  const master = await startRedis(context, '--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
  const lines = linesOf(await examine(context, { redis: master.url })).join('\n');
  assert.match(lines, /^problem: .*maxmemory-policy allkeys-lru/m);
  assert.match(lines, /^warning: .*only in memory/m);
  const replica = await startRedis(context, '--replicaof', `127.0.0.1 ${master.port}`);
  assert.match(
    linesOf(await examine(context, { redis: replica.url })).join('\n'),
    new RegExp(`^problem: .*is a replica.* -> Name its master 127\\.0\\.0\\.1:${master.port}`, 'm'),
  );
});

test('a Redis that is gone, or has another password, is a problem', { skip }, async (context) => {
  const gone = await examine(context, { redis: `redis://127.0.0.1:${await freePort()}` });
  assert.match(linesOf(gone).join('\n'), /^problem: .*connection refused.*does not start -> Check --redis/);
  const locked = await startRedis(context, '--requirepass', 'right-secret');
  const wrong = await examine(context, { redis: locked.url, redisPassword: 'wrong-secret' });
  assert.match(linesOf(wrong).join('\n'), /^problem: .*WRONGPASS/);
  assert.doesNotMatch(linesOf(wrong).join('\n'), /-secret/);
});

test('a user that may not run INFO and PING is a warning, because the service needs neither', {
  skip,
}, async (context) => {
  const server = await emptyRedis();
  await server.cli('ACL', 'SETUSER', 'toponym', 'on', '>right-secret', '~*', '&*', '+@all', '-info', '-ping');
  const redis = server.url.replace('//', '//toponym@');
  const verdicts = await examine(context, { redis, redisPassword: 'right-secret' });
  assert.deepEqual(levelsOf(verdicts), ['warning', 'ok', 'warning', 'ok'], linesOf(verdicts).join('\n'));
  assert.match(linesOf(verdicts)[2] ?? '', /^warning: .*could not be examined: NOPERM .*info.* -> Allow/);
});

test('a cluster: its state, and each of its masters', { skip }, async (context) => {
  const { urls } = await startRedisCluster(context);
  const lines = linesOf(await examine(context, { redis: urls, redisMode: 'cluster' }));
  assert.ok(lines.includes('ok: cluster state ok, 16384 of 16384 slots served, 3 masters'), lines.join('\n'));
  assert.equal(lines.filter((line) => /^warning: Redis .* only in memory/.test(line)).length, 3);
});

test('sentinels: each of them, and the master', { skip }, async (context) => {
  const { urls } = await startSentinels(context);
  const flags = { redisMode: `sentinel:${SENTINEL_MASTER}` };
  const lines = linesOf(await examine(context, { ...flags, redis: urls }));
  assert.equal(lines.filter((line) => /^ok: sentinel .*OK 3 usable Sentinels/.test(line)).length, 3, lines.join('\n'));
  const withDead = `${urls},redis://127.0.0.1:${await freePort()}`;
  const other = linesOf(await examine(context, { ...flags, redis: withDead })).filter(
    (line) => !/ answers in /.test(line),
  );
  assert.match(other.join('\n'), /^warning: sentinel .*connection refused.* -> Bring the sentinels back/m);
  assert.doesNotMatch(other.join('\n'), /^problem/m);
});
