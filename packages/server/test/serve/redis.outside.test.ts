import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { runCommand } from '../../../../test/support/command.ts';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { fileHooks } from '../../../../test/support/file-hooks.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { smallIndex } from '../../../../test/support/index-version.ts';
import { withinOneDay } from '../../../../test/support/one-day.ts';
import { untilNoNotice, untilNotice } from '../../../../test/support/readiness.ts';
import {
  decidedLocally,
  type RedisServer,
  redisProgram,
  startRedis,
  untilRedisDecides,
} from '../../../../test/support/redis.ts';
import {
  type RunningService,
  runService,
  runToponym,
  type ServeRun,
  type ServiceResponse,
} from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { ensureCertificate } from '../../src/serve/tls/certificate.ts';

const { skip } = redisProgram;
const ALBA = { form: { query: 'alba' } };
const PROBLEM = 'Redis cannot be used';
/** Keeps its data when it is killed. */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always'];

/** A key store, which is one of several in a Redis. */
interface Store {
  readonly redis: RedisServer;
  /** Of `serve` and `keys`. */
  readonly flags: readonly string[];
  /** Name of a Redis key of the store, such as `records`. */
  readonly nameOf: (part: string) => string;
}

function storeIn(redis: RedisServer, prefix = 'toponym'): Store {
  const flags = ['--redis', redis.url, '--redis-prefix', prefix];
  return { redis, flags, nameOf: (part) => `${prefix}:{keys}:${part}` };
}

/** What the tests that stop nothing share. */
let sharedRedis: Promise<RedisServer> | undefined;
let sharedReplicas: Promise<readonly [RunningService, RunningService]> | undefined;

async function aStore(prefix: string): Promise<Store> {
  sharedRedis ??= startRedis(fileHooks);
  return storeIn(await sharedRedis, prefix);
}

/** Two replicas that share one key store. */
async function twoReplicas() {
  const store = await aStore('shared');
  sharedReplicas ??= Promise.all([
    replica(fileHooks, store, { args: ['--metrics-port', '0'] }),
    replica(fileHooks, store, { args: ['--metrics-port', '0'] }),
  ]);
  return { store, replicas: await sharedReplicas };
}

async function replica(context: Pick<TestContext, 'after'>, { flags }: Store, run: ServeRun = {}) {
  const args = ['--threads', '1', ...flags, ...(run.args ?? [])];
  return await runService(context, { index: await smallIndex(), ...run, args });
}

async function stop(service: RunningService): Promise<void> {
  service.child.kill();
  await service.ended();
}

async function keysCommand({ flags }: Store, ...words: string[]) {
  const { stdout, stderr, code } = await runCommand(['keys', ...words, ...flags, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

let addresses = 0;

/** Calls from an address that no other test has, to one service after the other. */
async function responses(services: readonly RunningService[], key: string, calls: number) {
  const agent = new Agent({
    keepAlive: true,
    localAddress: `127.0.${1 + (addresses >> 7)}.${1 + (addresses++ & 127)}`,
  });
  const found: ServiceResponse[] = [];
  for (let i = 0; i < calls; i++) {
    found.push(await services[i % services.length]!.call('/api/1/query', { ...ALBA, key, agent }));
  }
  agent.destroy();
  return found;
}

async function statuses(...calls: Parameters<typeof responses>): Promise<number[]> {
  return (await responses(...calls)).map(({ status }) => status);
}

/** On a busy machine, Redis may answer too late for the first call after a change of keys. */
async function untilStatus(service: RunningService, key: string, status: number): Promise<void> {
  await waitUntil(`a call gets ${status}`, async () => (await statuses([service], key, 1))[0] === status);
}

async function metricsOf({ ready }: RunningService): Promise<string> {
  return await (await fetch(ready.metricsUrl ?? '')).text();
}

test('two replicas have one set of keys and one limit', { skip }, async () => {
  const { replicas } = await twoReplicas();
  const [key = '', ...others] = replicas.map((service) => service.key).filter((text) => text !== '');
  assert.deepEqual(others, [], 'only one replica creates a first key');
  const found = await untilRedisDecides(async () => {
    const before = await decidedLocally(replicas);
    const round = await responses(replicas, key, 64);
    return (await decidedLocally(replicas)) === before ? round : undefined;
  });
  assert.deepEqual(
    found.map(({ status }) => status),
    [...Array(60).fill(200), ...Array(4).fill(429)],
  );
  for (const { headers } of found.slice(60)) {
    assert.equal(headers['x-ratelimit-remaining'], '0');
    assert.ok(Number(headers['retry-after']) >= 1);
  }
});

test('a key made or revoked by a command applies to the next call of every replica', { skip }, async () => {
  const { store, replicas } = await twoReplicas();
  const label = await untilRedisDecides(async (round) => {
    const { id, key } = await keysCommand(store, 'create', '--label', `shop ${round}`, '--per-minute', '1000');
    const before = await statuses(replicas, key, 2);
    await keysCommand(store, 'revoke', id);
    const after = await statuses(replicas, key, 2);
    const isSeenAtOnce = [...before, ...after].join() === '200,200,403,403';
    return isSeenAtOnce ? `shop ${round}` : undefined;
  });
  const ofBoth = (entry: { label: string }) => entry.label === 'first key' || entry.label === label;
  const listed: { label: string }[] = (await keysCommand(store, 'list')).filter(ofBoth);
  assert.deepEqual(
    listed.map((entry) => entry.label),
    ['first key', label],
  );
  const changes: { action: string; label: string }[] = (await keysCommand(store, 'audit')).filter(ofBoth);
  assert.deepEqual(
    changes.map((entry) => [entry.action, entry.label]),
    [
      ['create first', 'first key'],
      ['create', label],
      ['revoke', label],
    ],
  );
});

test('replicas share the quota of a key', { skip }, async () => {
  await withinOneDay(async () => {
    const { store, replicas } = await twoReplicas();
    const { found, key } = await untilRedisDecides(async (round) => {
      const { key } = await keysCommand(store, 'create', '--label', 'quota', '--per-day', '6');
      const found = await statuses(replicas, key, 8);
      const isShared = !found.includes(401) && found.filter((status) => status === 200).length <= 6;
      return isShared || round === 9 ? { found, key } : undefined;
    });
    assert.deepEqual(found, [200, 200, 200, 200, 200, 200, 429, 429]);
    const refused = await replicas[1].call('/api/1/query', { ...ALBA, key });
    assert.equal(refused.json().code, 'quota_exceeded');
    assert.equal(refused.headers['ratelimit-policy'], '"default";q=60;w=60, "day";q=6;w=86400');
  });
});

test('keys of a machine move to Redis, and back into a backup', { skip }, async (context) => {
  const { store, replicas } = await twoReplicas();
  const folder = temporaryFolder(context);
  const state = join(folder, 'machine');
  const created = await runCommand(['keys', 'create', '--label', 'moved', '--state', state, '--json']);
  const { key } = JSON.parse(created.stdout);
  const copied = await keysCommand(store, 'copy', '--from', 'sqlite', '--to', 'redis', '--state', state);
  assert.deepEqual(copied, { from: 'sqlite', to: 'redis', keys: 1, added: 1, revoked: 0 });
  for (const service of replicas) await untilStatus(service, key, 200);
  const file = join(folder, 'backup.sqlite');
  assert.equal((await keysCommand(store, 'backup', file)).keys, (await keysCommand(store, 'list')).length);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const backup = openSqliteKeys(file);
  context.after(() => backup.close());
  assert.equal(backup.find(key)?.label, 'moved');
});

test('a backup of the keys in Redis that fails leaves no file behind', { skip }, async (context) => {
  const { redis, flags, nameOf } = await aStore('damaged');
  const cwd = temporaryFolder(context);
  await redis.cli('SET', nameOf('revisions'), 'not a sorted set');
  const { stderr, code } = await runCommand(['keys', 'backup', 'copy.sqlite', ...flags], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /^toponym: the keys in Redis at .* cannot be used: .*WRONGTYPE/);
  assert.deepEqual(readdirSync(cwd), []);
});

test('a damaged row stops neither a start nor commands, and is named; a later start needs no Redis', {
  skip,
}, async (context) => {
  const redis = await startRedis(context, ...DURABLE);
  const store = storeIn(redis);
  const { key } = await keysCommand(store, 'create', '--label', 'good');
  const { id } = await keysCommand(store, 'create', '--label', 'bad');
  await redis.cli('HSET', store.nameOf('records'), id, '{"id":"');
  const before = await replica(context, store);
  const { state } = before;
  await before.logged(`column hash of key ${id} cannot be read`);
  assert.deepEqual(await statuses([before], key, 1), [200]);
  for (const words of [['list'], ['backup', join(temporaryFolder(context), 'backup.sqlite')]]) {
    const { stdout, stderr, code } = await runCommand(['keys', ...words, ...store.flags]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /good|Copied 1 key/);
    assert.equal(stderr, `toponym: column hash of key ${id} cannot be read\n`);
  }
  await stop(before);
  await redis.kill();
  const copy = join(state, 'redis-keys.json');
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.ok(!readFileSync(copy, 'utf8').includes(key));
  const service = await replica(context, store, { state });
  assert.deepEqual(await statuses([service], key, 1), [200]);
  await untilNotice(service, /Redis/);
  await redis.start();
  await untilNoNotice(service);
  const later = await keysCommand(store, 'create', '--label', 'later');
  await untilStatus(service, later.key, 200);
});

test('Redis gone: calls are answered and limited, one log line, a notice, and it returns', {
  skip,
}, async (context) => {
  await withinOneDay(async () => {
    const redis = await startRedis(context, ...DURABLE);
    const store = storeIn(redis);
    const plain = await keysCommand(store, 'create', '--label', 'plain');
    const quota = await keysCommand(store, 'create', '--label', 'quota', '--per-day', '6');
    const service = await replica(context, store, { args: ['--metrics-port', '0'] });
    const agent = new Agent({ keepAlive: true });
    context.after(() => agent.destroy());
    const call = async (key: string, calls: number) => {
      const found: number[] = [];
      for (let i = 0; i < calls; i++) found.push((await service.call('/api/1/query', { ...ALBA, key, agent })).status);
      return found;
    };
    assert.deepEqual(await call(quota.key, 3), Array(3).fill(200));
    assert.deepEqual(await call(plain.key, 27), Array(27).fill(200));
    await redis.kill();
    // the service counts on from what it has accepted
    assert.deepEqual(await call(quota.key, 5), [200, 200, 200, 429, 429]);
    assert.deepEqual(await call(plain.key, 35), [...Array(25).fill(200), ...Array(10).fill(429)]);
    assert.match(await untilNotice(service, /Redis/), /each replica limits calls on its own/);
    const metrics = await metricsOf(service);
    assert.match(metrics, /^toponym_redis_problem 1$/m);
    assert.match(metrics, /^toponym_calls_limited_locally_total [1-9]/m);
    await redis.start();
    await untilNoNotice(service);
    await service.logged('Redis can be used again');
    assert.equal(service.log().split(PROBLEM).length - 1, 1, service.log());
    assert.doesNotMatch(service.log(), /"level":50.*thread/);
  });
});

test('Redis has lost the keys: a restart uses its copy, and the copy restores them', { skip }, async (context) => {
  const store = await aStore('lost');
  const { redis } = store;
  const before = await replica(context, store);
  const { state } = before;
  const { id, key } = await keysCommand(store, 'create', '--label', 'shop');
  const copy = join(state, 'redis-keys.json');
  await waitUntil('the copy has the key', () => readFileSync(copy, 'utf8').includes(id));
  await stop(before);
  await redis.cli('DEL', ...['records', 'revoked', 'used', 'revisions', 'revision', 'changes'].map(store.nameOf));
  const service = await replica(context, store, { state });
  await service.logged('the keys in Redis cannot be used: those of the last run are in use');
  assert.deepEqual(await statuses([service], key, 1), [200]);
  await untilNotice(service, /^Redis has lost the keys: each replica uses those that it read last$/);
  assert.equal(await redis.cli('EXISTS', store.nameOf('records')), '0');
  const copied = await keysCommand(store, 'copy', '--from', 'redis-copy', '--to', 'redis', '--state', state);
  assert.deepEqual(copied, { from: 'redis-copy', to: 'redis', keys: 2, added: 2, revoked: 0 });
  await untilNoNotice(service);
  await keysCommand(store, 'revoke', id);
  await untilStatus(service, key, 403);
});

test('a first start without Redis ends with the reason', { skip }, async (context) => {
  const state = join(temporaryFolder(context), 'state');
  const fixed = ['serve', '--threads', '1', '--index', await smallIndex(), '--ip-database', 'none', '--state', state];
  const { stderr, code } = await runToponym([...fixed, '--redis', `redis://127.0.0.1:${await freePort()}`]);
  assert.equal(code, 1);
  assert.match(stderr, /Redis at 127\.0\.0\.1:\d+ cannot be used: connection refused.*first start needs Redis/s);
});

test('password from a file or the environment, and TLS with a private authority', { skip }, async (context) => {
  const folder = temporaryFolder(context);
  const tls = await ensureCertificate(folder, new Date());
  const tlsPort = await freePort();
  const plain = ['--requirepass', 'open sesame', '--tls-auth-clients', 'no', '--tls-port', String(tlsPort)];
  await startRedis(context, ...plain, '--tls-cert-file', tls.certPath, '--tls-key-file', tls.keyPath);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'open sesame\n');
  const words = ['keys', 'list', '--redis', `rediss://127.0.0.1:${tlsPort}`, '--redis-ca', tls.certPath];
  const fromFile = await runCommand([...words, '--redis-password-file', passwordFile]);
  assert.match(fromFile.stdout, /There are no keys in Redis/, fromFile.stderr);
  const fromEnvironment = await runCommand(words, { env: { TOPONYM_REDIS_PASSWORD: 'open sesame' } });
  assert.equal(fromEnvironment.code, 0, fromEnvironment.stderr);
  const wrong = await runCommand(words, { env: { TOPONYM_REDIS_PASSWORD: 'wrong' } });
  assert.match(wrong.stderr, /Redis at .* cannot be used: WRONGPASS/);
  assert.equal(wrong.code, 1);
});
