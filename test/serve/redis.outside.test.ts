import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteKeys } from '../../src/access/sqlite/sqlite-keys.ts';
import { ensureCertificate } from '../../src/serve/tls/certificate.ts';
import { waitUntil } from '../support/deadline.ts';
import { freePort } from '../support/free-port.ts';
import { withinOneDay } from '../support/one-day.ts';
import { untilNoNotice, untilNotice } from '../support/readiness.ts';
import { type RedisServer, redisProgram, startRedis } from '../support/redis.ts';
import { type RunningService, runService, runToponym, type ServeRun } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { skip } = redisProgram;
const PARIS = { form: { query: 'paris' } };
const PROBLEM = 'Redis cannot be used';

async function replica(context: TestContext, redis: RedisServer, run: ServeRun = {}): Promise<RunningService> {
  const args = ['--threads', '1', '--redis', redis.url, ...(run.args ?? [])];
  return await runService(context, { ...run, args });
}

async function keysCommand(redis: RedisServer, ...words: string[]) {
  const { stdout, stderr, code } = await runToponym(['keys', ...words, '--redis', redis.url, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function statuses(services: readonly RunningService[], key: string, calls: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < calls; i++) {
    found.push((await services[i % services.length]!.call('/api/1/query', { ...PARIS, key })).status);
  }
  return found;
}

test('two replicas have one set of keys and one limit', { skip }, async (context) => {
  const redis = await startRedis(context);
  const first = await replica(context, redis);
  const second = await replica(context, redis);
  assert.equal(second.key, '', 'only one replica creates a first key');
  const found = await statuses([first, second], first.key, 64);
  assert.deepEqual(found, [...Array(60).fill(200), ...Array(4).fill(429)]);
  const refused = await second.call('/api/1/query', { ...PARIS, key: first.key });
  assert.equal(refused.headers['x-ratelimit-remaining'], '0');
  assert.ok(Number(refused.headers['retry-after']) >= 1);
});

test('a key made or revoked by a command applies to the next call of every replica', { skip }, async (context) => {
  const redis = await startRedis(context);
  const services = [await replica(context, redis), await replica(context, redis)];
  const { id, key } = await keysCommand(redis, 'create', '--label', 'shop', '--per-minute', '1000');
  assert.deepEqual(await statuses(services, key, 4), [200, 200, 200, 200]);
  await keysCommand(redis, 'revoke', id);
  assert.deepEqual(await statuses(services, key, 4), [403, 403, 403, 403]);
  const listed = await keysCommand(redis, 'list');
  assert.deepEqual(
    listed.map(({ label }: { label: string }) => label),
    ['first key', 'shop'],
  );
  const changes = await keysCommand(redis, 'audit');
  assert.deepEqual(
    changes.map(({ action, label }: Record<string, string>) => [action, label]),
    [
      ['create first', 'first key'],
      ['create', 'shop'],
      ['revoke', 'shop'],
    ],
  );
});

test('replicas share the quota of a key, also while Redis is gone and after a restart', { skip }, async (context) => {
  await withinOneDay(async () => {
    const redis = await startRedis(context);
    const services = [await replica(context, redis), await replica(context, redis)] as const;
    const { key } = await keysCommand(redis, 'create', '--label', 'shop', '--per-day', '6');
    assert.deepEqual(await statuses(services, key, 8), [200, 200, 200, 200, 200, 200, 429, 429]);
    const refused = await services[1].call('/api/1/query', { ...PARIS, key });
    assert.equal(refused.json().code, 'quota_exceeded');
    assert.equal(refused.headers['ratelimit-policy'], '"default";q=60;w=60, "day";q=6;w=86400');
    const restarted = await replica(context, redis);
    assert.deepEqual(await statuses([restarted], key, 1), [429]);
    // each replica has accepted three calls, and counts on from there
    await redis.kill();
    assert.deepEqual(await statuses([services[0]], key, 5), [200, 200, 200, 429, 429]);
  });
});

test('keys of a machine move to Redis, and back into a backup', { skip }, async (context) => {
  const redis = await startRedis(context);
  const folder = temporaryFolder(context);
  const state = join(folder, 'state');
  const alone = await runService(context, { state });
  alone.child.kill();
  await alone.ended();
  const copied = await keysCommand(redis, 'copy', '--from', 'sqlite', '--to', 'redis', '--state', state);
  assert.deepEqual(copied, { from: 'sqlite', to: 'redis', keys: 1, added: 1, revoked: 0 });
  const shared = await replica(context, redis, { state });
  assert.equal((await shared.call('/api/1/query', PARIS)).status, 200);
  const file = join(folder, 'backup.sqlite');
  assert.equal((await keysCommand(redis, 'backup', file)).keys, 1);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const backup = openSqliteKeys(file);
  context.after(() => backup.close());
  assert.equal(backup.find(alone.key)?.label, 'first key');
});

test('a backup of the keys in Redis that fails leaves no file behind', { skip }, async (context) => {
  const redis = await startRedis(context);
  const folder = temporaryFolder(context);
  await redis.cli('SET', 'toponym:{keys}:revisions', 'not a sorted set');
  const { stderr, code } = await runToponym(['keys', 'backup', 'copy.sqlite', '--redis', redis.url], { cwd: folder });
  assert.equal(code, 1);
  assert.match(stderr, /^toponym: the keys in Redis at .* cannot be used: .*WRONGTYPE/);
  assert.deepEqual(readdirSync(folder), []);
});

test('a damaged row stops neither a start nor commands, and is named', { skip }, async (context) => {
  const redis = await startRedis(context);
  const folder = temporaryFolder(context);
  const state = join(folder, 'state');
  const before = await replica(context, redis, { state });
  const { id } = await keysCommand(redis, 'create', '--label', 'shop');
  before.child.kill();
  await before.ended();
  await redis.cli('HSET', 'toponym:{keys}:records', id, '{"id":"');
  const service = await replica(context, redis, { state });
  await service.logged(`column hash of key ${id} cannot be read`);
  assert.equal((await service.call('/api/1/query', PARIS)).status, 200);
  for (const words of [['list'], ['backup', join(folder, 'backup.sqlite')]]) {
    const { stdout, stderr, code } = await runToponym(['keys', ...words, '--redis', redis.url]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /first key|Copied 1 key/);
    assert.equal(stderr, `toponym: column hash of key ${id} cannot be read\n`);
  }
  service.child.kill();
  await service.ended();
  await redis.kill();
  const alone = await replica(context, redis, { state });
  assert.equal((await alone.call('/api/1/query', PARIS)).status, 200);
});

test('Redis gone: calls are answered and limited, one log line, a notice, and it returns', {
  skip,
}, async (context) => {
  const redis = await startRedis(context, '--appendonly', 'yes', '--appendfsync', 'always');
  const service = await replica(context, redis, { args: ['--metrics-port', '0'] });
  assert.deepEqual(new Set(await statuses([service], service.key, 30)), new Set([200]));
  await redis.kill();
  const found = await statuses([service], service.key, 40);
  assert.deepEqual(found, [...Array(30).fill(200), ...Array(10).fill(429)]);
  assert.match(await untilNotice(service, /Redis/), /each replica limits calls on its own/);
  const metrics = await (await fetch(service.ready.metricsUrl ?? '')).text();
  assert.match(metrics, /^toponym_redis_problem 1$/m);
  assert.match(metrics, /^toponym_calls_limited_locally_total [1-9]/m);
  await redis.start();
  await untilNoNotice(service);
  await service.logged('Redis can be used again');
  assert.equal(service.log().split(PROBLEM).length - 1, 1, service.log());
  assert.doesNotMatch(service.log(), /"level":50.*thread/);
});

test('a service starts without Redis if it has read the keys before', { skip }, async (context) => {
  const redis = await startRedis(context, '--appendonly', 'yes', '--appendfsync', 'always');
  const state = join(temporaryFolder(context), 'state');
  const before = await replica(context, redis, { state });
  before.child.kill();
  await before.ended();
  await redis.kill();
  const copy = join(state, 'redis-keys.json');
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.ok(!readFileSync(copy, 'utf8').includes(before.key));
  const service = await replica(context, redis, { state });
  assert.equal((await service.call('/api/1/query', { ...PARIS, key: before.key })).status, 200);
  await untilNotice(service, /Redis/);
  await redis.start();
  await untilNoNotice(service);
  const { key } = await keysCommand(redis, 'create', '--label', 'later');
  assert.deepEqual(await statuses([service], key, 1), [200]);
});

test('Redis has lost the keys: a restart uses its copy, and the copy restores them', { skip }, async (context) => {
  const redis = await startRedis(context);
  const state = join(temporaryFolder(context), 'state');
  const before = await replica(context, redis, { state });
  const { id, key } = await keysCommand(redis, 'create', '--label', 'shop');
  const copy = join(state, 'redis-keys.json');
  await waitUntil('the copy has the key', () => readFileSync(copy, 'utf8').includes(id));
  before.child.kill();
  await before.ended();
  await redis.cli('FLUSHALL');
  const service = await replica(context, redis, { state });
  await service.logged('the keys in Redis cannot be used: those of the last run are in use');
  assert.deepEqual(await statuses([service], key, 1), [200]);
  assert.match(await untilNotice(service, /./), /^Redis has lost the keys: each replica uses those that it read last$/);
  assert.equal(await redis.cli('EXISTS', 'toponym:{keys}:records'), '0');
  const copied = await keysCommand(redis, 'copy', '--from', 'redis-copy', '--to', 'redis', '--state', state);
  assert.deepEqual(copied, { from: 'redis-copy', to: 'redis', keys: 2, added: 2, revoked: 0 });
  await untilNoNotice(service);
  await keysCommand(redis, 'revoke', id);
  assert.deepEqual(await statuses([service], key, 1), [403]);
});

test('a first start without Redis, and a damaged copy of the keys, end with a reason', { skip }, async (context) => {
  const state = join(temporaryFolder(context), 'state');
  const url = `redis://127.0.0.1:${await freePort()}`;
  const start = () => runToponym(['serve', '--state', state, '--redis', url]);
  const first = await start();
  assert.equal(first.code, 1);
  assert.match(
    first.stderr,
    /Redis at 127\.0\.0\.1:\d+ cannot be used: connect ECONNREFUSED.*first start needs Redis/s,
  );
  writeFileSync(join(state, 'redis-keys.json'), '00000000 {"rows":[]}');
  assert.equal((await start()).code, 1);
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
  const fromFile = await runToponym([...words, '--redis-password-file', passwordFile]);
  assert.match(fromFile.stdout, /There are no keys in Redis/, fromFile.stderr);
  const fromEnvironment = await runToponym(words, { env: { TOPONYM_REDIS_PASSWORD: 'open sesame' } });
  assert.equal(fromEnvironment.code, 0, fromEnvironment.stderr);
  const wrong = await runToponym(words, { env: { TOPONYM_REDIS_PASSWORD: 'wrong' } });
  assert.match(wrong.stderr, /Redis at .* cannot be used: WRONGPASS/);
  assert.equal(wrong.code, 1);
});

test('settings that cannot work are refused before anything connects', async () => {
  const refusals: [string[], RegExp][] = [
    [['--redis', 'redis://me:secret@127.0.0.1'], /a password on the command line can be read by every user/],
    [['--redis', 'http://127.0.0.1'], /must be URLs such as redis:/],
    [['--redis', 'redis://a,redis://b'], /one server has one URL/],
    [['--redis-mode', 'cluster'], /--redis-mode needs --redis/],
    [['--redis', 'redis://a', '--redis-mode', 'ring'], /must be standalone, cluster or sentinel:NAME, got "ring"/],
    [['--redis', 'redis://a', '--redis-ca', 'ca.pem'], /--redis-ca needs rediss:/],
    [['--redis', 'redis://a', '--redis-prefix', '{x}'], /--redis-prefix: must be/],
    [['--redis', 'redis://a', '--redis-password-file', '/nowhere'], /\/nowhere cannot be read/],
  ];
  for (const [flags, reason] of refusals) {
    const { stderr, code } = await runToponym(['keys', 'list', ...flags]);
    assert.match(stderr, reason);
    assert.ok(!stderr.includes('secret'));
    assert.equal(code, 2);
  }
});
