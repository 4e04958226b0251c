import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { MAX_AUDIT_ENTRIES } from '../../src/keys/key-store.ts';
import { NOTHING_SEEN } from '../../src/keys/keys-in-memory.ts';
import { RedisKeyReader } from '../../src/keys/redis-key-reader.ts';
import { LOST_KEYS, RedisKeys } from '../../src/keys/redis-keys.ts';
import { openSqliteKeys } from '../../src/keys/sqlite-keys.ts';
import { aConnection } from '../redis/a-redis.ts';
import { someSettings } from '../redis/some-settings.ts';
import { testKeyStore } from './key-store-contract.ts';

const { skip } = redisProgram;
const NOW = Date.UTC(2030, 0, 1);
const emptyRedis = sharedRedis();

async function aStore(context: TestContext, urls: string, mode?: string) {
  const settings = someSettings(urls, mode);
  const connection = await aConnection(context, settings);
  const problems: string[] = [];
  const store = new RedisKeys(connection, (problem) => problems.push(problem));
  return { store, problems };
}

async function aReader(context: TestContext, redis: RedisServer) {
  const { store } = await aStore(context, redis.url);
  const damages: string[] = [];
  const revokedAgain: string[] = [];
  const reader = new RedisKeyReader({
    store,
    firstKeys: await store.readChanges(NOTHING_SEEN),
    log: {
      error: ({ reason }: { reason: string }) => damages.push(reason),
      warn: ({ keys }: { keys: string[] }) => revokedAgain.push(...keys),
    },
  });
  context.after(() => reader.close());
  return { store, reader, damages, revokedAgain };
}

/** Refreshes until `isDone`. On a busy machine, Redis may answer too late for one refresh. */
async function refreshUntil(reader: RedisKeyReader, isDone: () => boolean): Promise<void> {
  await waitUntil('the keys are read', async () => {
    await reader.refresh();
    return isDone();
  });
}

testKeyStore(
  async (context) => {
    const redis = await emptyRedis();
    return { ...(await aStore(context, redis.url)), dump: () => redis.dump() };
  },
  { skip },
);

test('of many machines that start at once, one creates the first key', { skip }, async (context) => {
  const redis = await emptyRedis();
  const saved: string[] = [];
  const created = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { store } = await aStore(context, redis.url);
      return await store.createFirst({ label: 'first key' }, NOW, (key) => saved.push(key));
    }),
  );
  assert.deepEqual(
    created.filter((key) => key !== undefined),
    saved,
  );
  assert.equal(saved.length, 1);
});

test('readers see created and revoked keys with the next refresh', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store, reader } = await aReader(context, redis);
  await untilRedisDecides(async () => {
    const { record, key } = await store.create({ label: 'a' }, NOW);
    await reader.refresh();
    if (reader.find(key) === undefined) return undefined;
    assert.deepEqual(reader.find(key), record);
    await store.revoke(record.id, NOW + 1);
    await reader.refresh();
    return reader.find(key)?.revokedAt;
  });
});

test('readers see changes by themselves, without a call', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store, reader } = await aReader(context, redis);
  const { key } = await store.create({ label: 'a' }, NOW);
  await waitUntil('the reader has the key', () => reader.find(key) !== undefined);
});

test('the last keys stay in use while Redis is paused, and after it has lost all keys', { skip }, async (context) => {
  const redis = await startRedis(context);
  const { store, reader } = await aReader(context, redis);
  const { key } = await store.create({ label: 'a' }, NOW);
  await refreshUntil(reader, () => reader.find(key) !== undefined);
  redis.signal('SIGSTOP');
  await reader.refresh();
  assert.match(reader.problem, /no reply/);
  assert.ok(reader.find(key));
  redis.signal('SIGCONT');
  await waitUntil('Redis is used again', () => reader.problem === '');
  await redis.cli('FLUSHALL');
  await refreshUntil(reader, () => reader.problem === LOST_KEYS);
  assert.ok(reader.find(key));
});

test('a store that has other keys only replaces nothing, until it has an old key again', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store, reader } = await aReader(context, redis);
  const old = await store.create({ label: 'old' }, NOW);
  await refreshUntil(reader, () => reader.find(old.key) !== undefined);
  const stored = await store.stored();
  await redis.cli('FLUSHALL');
  const other = await store.create({ label: 'other' }, NOW);
  await refreshUntil(reader, () => reader.problem === LOST_KEYS);
  assert.ok(reader.find(old.key));
  assert.equal(reader.find(other.key), undefined);
  await store.copyFrom(stored, NOW);
  await waitUntil('the keys are read again', () => reader.problem === '');
  assert.ok(reader.find(old.key));
  assert.ok(reader.find(other.key));
});

test('a store that was set back is read again as a whole', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store, reader } = await aReader(context, redis);
  const old = await store.create({ label: 'old' }, NOW);
  const revision = await redis.cli('GET', 'toponym:{keys}:revision');
  const recent = await store.create({ label: 'recent' }, NOW);
  await refreshUntil(reader, () => reader.find(recent.key) !== undefined);
  await redis.cli('HDEL', 'toponym:{keys}:records', recent.record.id);
  await redis.cli('ZREM', 'toponym:{keys}:revisions', recent.record.id);
  await redis.cli('SET', 'toponym:{keys}:revision', revision);
  await refreshUntil(reader, () => reader.find(recent.key) === undefined);
  assert.ok(reader.find(old.key));
});

test('a revocation that a thread has read stays in force, and is written back, when the store has lost it', {
  skip,
}, async (context) => {
  const redis = await emptyRedis();
  const { store, reader, revokedAgain } = await aReader(context, redis);
  const { reader: late, revokedAgain: byLate } = await aReader(context, redis);
  const { key, record } = await store.create({ label: 'leaked' }, NOW);
  const revision = await redis.cli('GET', 'toponym:{keys}:revision');
  await store.revoke(record.id, NOW + 1);
  await refreshUntil(reader, () => reader.find(key)?.revokedAt === NOW + 1);
  await redis.cli('HDEL', 'toponym:{keys}:revoked', record.id);
  await redis.cli('SET', 'toponym:{keys}:revision', revision);
  await refreshUntil(late, () => late.find(key)?.revokedAt === NOW + 1);
  const other = await store.create({ label: 'other' }, NOW);
  await refreshUntil(reader, () => reader.find(other.key) !== undefined);
  assert.equal(reader.find(key)?.revokedAt, NOW + 1);
  assert.equal(await redis.cli('HGET', 'toponym:{keys}:revoked', record.id), String(NOW + 1));
  assert.deepEqual([...revokedAgain, ...byLate], [record.id]);
});

test('a failover that loses the newest change hides no later change', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store, reader } = await aReader(context, redis);
  const kept = await store.create({ label: 'kept' }, NOW);
  const revision = await redis.cli('GET', 'toponym:{keys}:revision');
  const lost = await store.create({ label: 'lost' }, NOW);
  await refreshUntil(reader, () => reader.find(lost.key) !== undefined);
  await redis.cli('HDEL', 'toponym:{keys}:records', lost.record.id);
  await redis.cli('ZREM', 'toponym:{keys}:revisions', lost.record.id);
  await redis.cli('SET', 'toponym:{keys}:revision', revision);
  await store.revoke(kept.record.id, NOW + 1);
  await refreshUntil(reader, () => reader.find(kept.key)?.revokedAt === NOW + 1);
  assert.equal(reader.find(lost.key), undefined);
});

test('a damaged row is reported with its id, and the other keys work', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store, problems } = await aStore(context, redis.url);
  const good = await store.create({ label: 'good' }, NOW);
  const bad = await store.create({ label: 'bad' }, NOW);
  await redis.cli('HSET', 'toponym:{keys}:records', bad.record.id, '{"id":"');
  const { reader, damages } = await aReader(context, redis);
  const damage = `column hash of key ${bad.record.id} cannot be read`;
  assert.deepEqual(damages, [damage]);
  assert.ok(reader.find(good.key));
  assert.equal(reader.find(bad.key), undefined);
  assert.deepEqual(await store.find(good.key), good.record);
  assert.deepEqual(problems, []);
  assert.deepEqual(await store.list(), [good.record]);
  assert.deepEqual(problems, [damage]);
  assert.equal((await store.revoke(good.record.id, NOW + 1))?.revokedAt, NOW + 1);
});

test('a revoked key is refused, even if its row cannot be read', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store, reader, damages } = await aReader(context, redis);
  const { record, key } = await store.create({ label: 'a' }, NOW);
  await refreshUntil(reader, () => reader.find(key) !== undefined);
  await redis.cli('HSET', 'toponym:{keys}:records', record.id, '{"id":"');
  const message = `key ${record.id} is revoked, but its row cannot be read`;
  await assert.rejects(store.revoke(record.id, NOW + 1), (error: Error) => error.message.includes(message));
  await refreshUntil(reader, () => reader.find(key) === undefined);
  assert.deepEqual(damages, [`column hash of key ${record.id} cannot be read`]);
});

test('rows of earlier versions, without a quota and batches, are valid', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store } = await aStore(context, redis.url);
  const { record, key } = await store.create({ label: 'old' }, NOW);
  const { per_day: _, batch: __, ...oldRow } = JSON.parse(await redis.cli('HGET', 'toponym:{keys}:records', record.id));
  await redis.cli('HSET', 'toponym:{keys}:records', record.id, JSON.stringify(oldRow));
  const { reader, damages } = await aReader(context, redis);
  assert.deepEqual(damages, []);
  assert.deepEqual(reader.find(key), record);
});

test('the audit log in Redis is trimmed; damaged rows can be revoked; without a log nothing changes', {
  skip,
}, async (context) => {
  const redis = await emptyRedis();
  const { store } = await aStore(context, redis.url);
  const log = 'toponym:{keys}:changes';
  const fill = `for i = 1, 12000 do redis.call('XADD', KEYS[1], '*', 'at', i) end`;
  await redis.cli('EVAL', fill, '1', log);
  const { record } = await store.create({ label: 'a' }, NOW);
  const length = Number(await redis.cli('XLEN', log));
  // Redis deletes whole nodes of 100 entries
  assert.ok(length >= MAX_AUDIT_ENTRIES && length <= MAX_AUDIT_ENTRIES + 100, String(length));
  await redis.cli('DEL', log);
  for (const [i, row] of ['{"id":', '7', '{"label":{}}'].entries()) {
    await redis.cli('HSET', 'toponym:{keys}:records', `bad${i}`, row);
    await store.revoke(`bad${i}`, NOW).catch(() => {}); // the row cannot be shown
    assert.equal(await redis.cli('HGET', 'toponym:{keys}:revoked', `bad${i}`), String(NOW));
    await redis.cli('HDEL', 'toponym:{keys}:records', `bad${i}`);
    await redis.cli('ZREM', 'toponym:{keys}:revisions', `bad${i}`);
  }
  assert.deepEqual(
    (await store.auditLog()).map(({ keyId, label }) => [keyId, label]),
    [
      ['bad0', ''],
      ['bad1', ''],
      ['bad2', ''],
    ],
  );
  await redis.cli('SET', log, 'not a stream');
  await assert.rejects(store.create({ label: 'b' }, NOW), /cannot be used: .*WRONGTYPE/);
  await assert.rejects(store.revoke(record.id, NOW), /WRONGTYPE/);
  assert.deepEqual(await store.list(), [record]);
});

test('keys move from SQLite to Redis and back with all their fields', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { store } = await aStore(context, redis.url);
  const folder = temporaryFolder(context);
  const sqlite = openSqliteKeys(join(folder, 'keys.sqlite'));
  const other = openSqliteKeys(join(folder, 'other.sqlite'));
  context.after(() => sqlite.close());
  context.after(() => other.close());
  const a = sqlite.create(
    { label: 'a', perMinute: 'unlimited', perDay: 7, batch: true, allowedOrigins: ['https://example.com'] },
    NOW,
  );
  const b = sqlite.create({ label: 'b', expiresAt: NOW + 2 }, NOW + 1);
  sqlite.writeUses(new Map([[a.record.id, NOW + 7]]));
  sqlite.revoke(b.record.id, NOW + 3);
  assert.deepEqual(await store.copyFrom(sqlite.stored(), NOW), { added: 2, revoked: 0 });
  assert.deepEqual(await store.stored(), sqlite.stored());
  assert.deepEqual(await store.copyFrom(sqlite.stored(), NOW), { added: 0, revoked: 0 });
  sqlite.revoke(a.record.id, NOW + 9);
  assert.deepEqual(await store.copyFrom(sqlite.stored(), NOW), { added: 0, revoked: 1 });
  assert.deepEqual(other.copyFrom(await store.stored(), NOW), { added: 2, revoked: 0 });
  assert.deepEqual(other.stored(), sqlite.stored());
});

test('a change that no replica of Redis confirms is reported', { skip }, async (context) => {
  const { urls, replica } = await startSentinels(context);
  const { store, problems } = await aStore(context, urls, `sentinel:${SENTINEL_MASTER}`);
  const { record } = await store.create({ label: 'a' }, NOW);
  assert.deepEqual(problems, []);
  replica.signal('SIGSTOP');
  assert.equal((await store.revoke(record.id, NOW + 1))?.revokedAt, NOW + 1);
  assert.deepEqual(problems, ['no replica of Redis has confirmed the change within 1 s: a failover may undo it']);
});

test('a cluster keeps all keys in one slot, and a revocation survives the loss of the master', {
  skip,
}, async (context) => {
  const cluster = await startRedisCluster(context);
  const { store } = await aStore(context, cluster.urls, 'cluster');
  const { record } = await store.create({ label: 'a' }, NOW);
  await store.revoke(record.id, NOW + 1);
  const master = await cluster.masterOf('toponym:{keys}:records');
  await master.kill();
  const { store: later } = await aStore(
    context,
    cluster.servers
      .filter((server) => server !== master)
      .map(({ url }) => url)
      .join(','),
    'cluster',
  );
  await waitUntil('the replica has taken over', async () => {
    const keys = await later.list().catch(() => []);
    return keys[0]?.revokedAt === NOW + 1;
  });
});
