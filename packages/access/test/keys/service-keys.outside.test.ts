import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { openStateFolder, type StateFolder } from 'toponym-server/serve/state-folder';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { type RedisServer, redisProgram, sharedRedis } from '../../../../test/support/redis.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { readKeyCopy } from '../../src/keys/key-copy.ts';
import { isWellFormedKey } from '../../src/keys/key-text.ts';
import { LOST_KEYS, RedisKeys } from '../../src/keys/redis-keys.ts';
import { openServiceKeys } from '../../src/keys/service-keys.ts';
import { createQuotaBuffer, QuotaTable } from '../../src/limits/quota-table.ts';
import { aConnection } from '../redis/a-redis.ts';
import { someSettings } from '../redis/some-settings.ts';

const { skip } = redisProgram;
const NOW = Date.UTC(2030, 0, 1);
const emptyRedis = sharedRedis();

async function aStore(context: TestContext, redis: RedisServer) {
  const settings = someSettings(redis.url);
  return new RedisKeys(await aConnection(context, settings));
}

/**
 * The keys of a replica, the reasons of its errors, and its warnings or the keys that they name.
 */
async function aReplica(context: TestContext, url: string, state = aState(context)) {
  const errors: string[] = [];
  const warnings: unknown[] = [];
  const log = {
    error: ({ reason }: { reason: string }) => errors.push(reason),
    warn: (fields: { keys?: unknown }, text: string) => warnings.push(fields.keys ?? text),
  };
  const quotas = new QuotaTable(createQuotaBuffer());
  const keys = await openServiceKeys({ state, redis: someSettings(url) }, quotas, log);
  context.after(() => keys.close());
  const idsForWorker = () => {
    const worker = keys.forWorker();
    assert.ok(worker.kind === 'redis');
    return worker.firstKeys.rows.map(({ id }) => id);
  };
  const copiedRows = () => readKeyCopy(state.redisKeysPath, someSettings(url))?.rows ?? [];
  return { keys, state, errors, warnings, idsForWorker, copiedRows };
}

function aState(context: TestContext): StateFolder {
  return openStateFolder(join(temporaryFolder(context), 'state'));
}

test('a start on a Redis that has lost the keys uses the copy, and creates no key', { skip }, async (context) => {
  const redis = await emptyRedis();
  const store = await aStore(context, redis);
  const { record } = await store.create({ label: 'shop' }, NOW);
  const { keys, state } = await aReplica(context, redis.url);
  await keys.close();
  await redis.cli('FLUSHALL');
  const later = await aReplica(context, redis.url, state);
  assert.deepEqual(await later.keys.ensureFirstKey(NOW), { key: undefined, reason: 'text-missing' });
  assert.deepEqual(later.idsForWorker(), [record.id]);
  assert.deepEqual(later.errors, [LOST_KEYS]);
  assert.equal(later.copiedRows().length, 1);
  assert.equal(await store.isEmpty(), true);
});

test('a Redis that loses the keys while a replica starts gets no first key', { skip }, async (context) => {
  const redis = await emptyRedis();
  const store = await aStore(context, redis);
  await store.create({ label: 'shop' }, NOW);
  const { keys, copiedRows } = await aReplica(context, redis.url);
  await redis.cli('FLUSHALL');
  await keys.ensureFirstKey(NOW);
  assert.equal(await store.isEmpty(), true);
  assert.equal(copiedRows().length, 1);
});

test('a running replica keeps its keys when another one begins with an empty Redis', { skip }, async (context) => {
  const redis = await emptyRedis();
  const store = await aStore(context, redis);
  const { record } = await store.create({ label: 'shop' }, NOW);
  const { idsForWorker, copiedRows } = await aReplica(context, redis.url);
  await redis.cli('FLUSHALL');
  const other = await aReplica(context, redis.url);
  await other.keys.ensureFirstKey(NOW);
  await other.keys.close();
  await redis.cli('CONFIG', 'RESETSTAT');
  // the second read begins when the first one has ended
  await waitUntil('the replica has read the keys', async () => (await scriptCalls(redis)) >= 2);
  assert.deepEqual(idsForWorker(), [record.id]);
  assert.deepEqual(
    copiedRows().map(({ id }) => id),
    [record.id],
  );
});

/** Makes Redis forget a revocation, as one that returns from a crash with its last snapshot. */
async function loseRevocation(redis: RedisServer, id: string): Promise<void> {
  await redis.cli('HDEL', 'toponym:{keys}:revoked', id);
  await redis.cli('DECR', 'toponym:{keys}:revision');
}

test('a revocation that Redis has lost is logged, stays in the copy and is written back', { skip }, async (context) => {
  const redis = await emptyRedis();
  const store = await aStore(context, redis);
  const { record } = await store.create({ label: 'shop' }, NOW);
  await store.create({ label: 'other' }, NOW);
  await store.revoke(record.id, NOW + 1);
  const revokedAt = async () => (await store.list()).find(({ id }) => id === record.id)?.revokedAt;
  const running = await aReplica(context, redis.url);
  await loseRevocation(redis, record.id);
  await waitUntil('the revocation is in Redis again', async () => (await revokedAt()) === NOW + 1);
  await waitUntil('the revocation is logged', () => running.warnings.length > 0);
  assert.deepEqual(running.warnings, [[record.id]]);
  await running.keys.close();
  await loseRevocation(redis, record.id);
  const restarted = await aReplica(context, redis.url, running.state);
  assert.equal(await revokedAt(), NOW + 1, 'the copy of the keys has it, too');
  assert.deepEqual(restarted.warnings, [[record.id]]);
  assert.equal(restarted.copiedRows().find(({ id }) => id === record.id)?.revoked_at, NOW + 1);
});

test('replicas have one key of the page, which a Redis that has lost their secret gets back', {
  skip,
}, async (context) => {
  const redis = await emptyRedis();
  const [first, second] = await Promise.all([aReplica(context, redis.url), aReplica(context, redis.url)]);
  const pageKey = first.keys.pageKey();
  assert.ok(isWellFormedKey(pageKey));
  assert.equal(second.keys.pageKey(), pageKey);
  await first.keys.ensureFirstKey(NOW);
  await first.keys.close();
  await second.keys.close();
  await redis.cli('DEL', 'toponym:{keys}:secret');
  const restarted = await aReplica(context, redis.url, first.state);
  const third = await aReplica(context, redis.url);
  assert.deepEqual([restarted.keys.pageKey(), third.keys.pageKey()], [pageKey, pageKey]);
  assert.ok(!(await redis.dump()).includes(pageKey));
});

test('a secret in Redis that is empty or short is replaced and logged, also if the copy has it', {
  skip,
}, async (context) => {
  const redis = await emptyRedis();
  const first = await aReplica(context, redis.url);
  await first.keys.ensureFirstKey(NOW);
  await first.keys.close();
  const [checksum = '', ...copy] = readFileSync(first.state.redisKeysPath, 'utf8').trim().split(' ');
  const { secret } = JSON.parse(copy.join(' '));
  assert.match(`${checksum} ${secret}`, /^[0-9a-f]{8} [0-9a-f]{64}$/);
  const warning =
    'the secret of the replicas in Redis was empty or too short, and was replaced: earlier calls no longer count towards limits';
  for (const short of ['', 'x', secret.slice(1)]) {
    await redis.cli('SET', 'toponym:{keys}:secret', short);
    const restarted = await aReplica(context, redis.url, first.state);
    assert.deepEqual(restarted.warnings, [warning]);
    assert.equal(await redis.cli('GET', 'toponym:{keys}:secret'), secret);
    const text = copy.join(' ').replace(secret, short);
    writeFileSync(first.state.redisKeysPath, `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`);
    assert.equal(readKeyCopy(first.state.redisKeysPath, someSettings(redis.url))?.secret, undefined);
    const second = await aReplica(context, redis.url, first.state);
    assert.deepEqual([second.warnings, second.keys.pageKey()], [[], first.keys.pageKey()]);
    // an open replica would replace the next short secret itself
    await Promise.all([restarted, second].map(({ keys }) => keys.close()));
  }
});

test('no copy is written before there are keys', { skip }, async (context) => {
  const redis = await emptyRedis();
  const { keys, state, copiedRows } = await aReplica(context, redis.url);
  assert.equal(existsSync(state.redisKeysPath), false);
  const { key } = await keys.ensureFirstKey(NOW);
  assert.equal(readFileSync(state.firstKeyPath, 'utf8'), `${key}\n`);
  assert.equal(copiedRows().length, 1);
});

test('a damaged copy of the keys does not replace Redis', { skip }, async (context) => {
  const state = aState(context);
  writeFileSync(state.redisKeysPath, '00000000 {"rows":[]}');
  const url = `redis://127.0.0.1:${await freePort()}`;
  await assert.rejects(aReplica(context, url, state), /connection refused.*first start needs Redis/);
});

test('a silent connection is replaced', { skip }, async (context) => {
  const redis = await emptyRedis();
  const store = await aStore(context, redis);
  const { record } = await store.create({ label: 'shop' }, NOW);
  const proxy = await startProxy(context, redis);
  const { copiedRows } = await aReplica(context, proxy.url);
  for (const connections of [2, 3]) {
    proxy.silence();
    await waitUntil('the connection is replaced', () => proxy.connections >= connections);
  }
  await store.revoke(record.id, NOW + 1);
  await waitUntil('the copy has the revocation', () => copiedRows()[0]?.revoked_at === NOW + 1);
});

async function scriptCalls(redis: RedisServer): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.cli('INFO', 'commandstats'))?.[1] ?? 0);
}

/** A proxy to Redis. `silence` makes its connections stay open without passing on anything. */
async function startProxy(context: TestContext, redis: RedisServer) {
  const sockets: Socket[] = [];
  const proxy = { url: '', connections: 0, silence: () => {} };
  const server = createServer((client) => {
    proxy.connections++;
    let isSilent = false;
    const silence = proxy.silence;
    proxy.silence = () => {
      silence();
      isSilent = true;
    };
    const upstream = connect(redis.port, redis.host);
    sockets.push(client, upstream);
    client.on('data', (bytes) => {
      if (!isSilent) upstream.write(bytes);
    });
    upstream.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  proxy.url = `redis://127.0.0.1:${address.port}`;
  return proxy;
}
