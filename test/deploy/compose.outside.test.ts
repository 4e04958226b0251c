/** Runs what compose.yaml describes, without containers: real Caddy, Redis and two real services. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { runKeys } from '../support/command.ts';
import { waitUntil } from '../support/deadline.ts';
import { fileHooks } from '../support/file-hooks.ts';
import { freePort } from '../support/free-port.ts';
import { smallIndex } from '../support/index-version.ts';
import { OutputLines } from '../support/output-lines.ts';
import { outsideProgram, skipWithout } from '../support/outside-programs.ts';
import { decidedLocally, type RedisServer, redisProgram, startRedis, untilRedisDecides } from '../support/redis.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FOLDER = fileURLToPath(new URL('../../deploy/compose', import.meta.url));
const COMPOSE = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true });
const [, ...REDIS_OPTIONS]: string[] = COMPOSE.services.redis.command;
const caddy = outsideProgram('caddy');
const skip = skipWithout(caddy, redisProgram);
let started: Promise<Site> | undefined;

test('two replicas share keys through Redis, and keep only copies in their state folders', { skip }, async () => {
  const { replicas } = await site();
  const [firstKey = '', ...others] = replicas.map(({ key }) => key).filter((key) => key !== '');
  assert.equal(others.length, 0, 'one replica creates the first key');
  await untilStatus(replicas, firstKey, 200);
  const files = new Set(replicas.flatMap(({ state }) => readdirSync(state)));
  assert.deepEqual([...files].sort(), ['first-key.txt', 'redis-keys.json']);

  const { id, key } = await replicas[0].keys('create', '--label', 'my site');
  await untilStatus(replicas, key, 200);
  await replicas[1].keys('revoke', id);
  await untilStatus(replicas, key, 403);
});

test('one limit counts the calls of a client at both replicas, and no header evades it', { skip }, async () => {
  const { proxy, replicas } = await site();
  const { key } = await replicas[0].keys('create', '--label', 'limited');
  await untilStatus(replicas, key, 200);
  const before = replicas.map(answersOf);
  const statuses = await untilRedisDecides(async (round) => {
    const localBefore = await decidedLocally(replicas);
    const found: number[] = [];
    for (let i = 0; i < 64; i++) {
      const headers = { 'x-forwarded-for': `192.0.2.${i}` };
      found.push((await callSite(proxy, key, { headers, localAddress: `127.0.1.${1 + round}` })).status);
    }
    return (await decidedLocally(replicas)) === localBefore ? found : undefined;
  });
  assert.deepEqual(statuses, [...new Array(60).fill(200), ...new Array(4).fill(429)]);
  const answers = replicas.map((replica, i) => answersOf(replica) - (before[i] ?? 0));
  assert.ok(Math.min(...answers) >= 10, `Caddy spread the calls as ${answers.join(' and ')}`);
  assert.equal((await callSite(proxy, key, { localAddress: '127.0.0.10' })).status, 200);
});

test('calls are answered while Redis is down, and it returns with all keys', { skip }, async () => {
  const { proxy, redis, replicas } = await site();
  const { key } = await replicas[0].keys('create', '--label', 'my site');
  await untilStatus(replicas, key, 200);
  assert.equal(healthOf(redis), 0);
  await untilWritten(redis);
  await redis.kill();
  assert.notEqual(healthOf(redis), 0);
  const localAddress = '127.0.0.11';
  for (let i = 0; i < 20; i++) assert.equal((await callSite(proxy, key, { localAddress })).status, 200);
  assert.equal((await callSite(proxy, 'wrong', { localAddress })).status, 401);

  await redis.start();
  await waitUntil('Redis has loaded its data', () => healthOf(redis) === 0);
  for (const replica of replicas) await replica.logged('Redis can be used again');
  const { id } = (await replicas[0].keys('list')).findLast(({ label }: { label: string }) => label === 'my site');
  await replicas[1].keys('revoke', id);
  await untilStatus(replicas, key, 403);
});

// last, because it stops a replica
test('Caddy serves HTTPS, and a stopping replica costs no call', { skip }, async () => {
  const { proxy, replicas } = await site();
  const { key } = await replicas[0].keys('create', '--label', 'busy', '--per-minute', 'unlimited');
  await untilStatus(replicas, key, 200);
  const search = () => callSite(proxy, key);
  assert.deepEqual(await search(), { status: 200, name: 'Alba' });

  const [stopping, other] = replicas;
  const before = answersOf(other);
  stopping.child.kill('SIGTERM');
  const statuses = new Set<number>();
  const ended = stopping.ended();
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  while (isRunning) statuses.add((await search()).status);
  statuses.add((await search()).status);
  assert.deepEqual([...statuses], [200]);
  assert.deepEqual(await ended, [0, null]);
  assert.ok(answersOf(other) > before);
  const later = await other.keys('create', '--label', 'later');
  await untilStatus([other], later.key, 200);
});

interface Replica extends RunningService {
  /** Runs `toponym keys` with the environment of the replica, as `docker compose exec` does. */
  readonly keys: (...words: string[]) => ReturnType<typeof runKeys>;
}

type Replicas = readonly [Replica, Replica];

interface Site {
  readonly redis: RedisServer;
  readonly replicas: Replicas;
  readonly proxy: Proxy;
}

/** Redis with the arguments of compose.yaml, two services, started at once, and Caddy. All tests share them. */
function site(): Promise<Site> {
  started ??= startSite();
  return started;
}

async function startSite(): Promise<Site> {
  const redis = await startRedis(fileHooks, ...REDIS_OPTIONS);
  const folder = temporaryFolder(fileHooks);
  const start = (name: string) => runReplica(join(folder, name), redis);
  const replicas = await Promise.all([start('state'), start('state-2')]);
  return { redis, replicas, proxy: await runCaddy(replicas) };
}

async function runReplica(state: string, redis: RedisServer): Promise<Replica> {
  const env = localEnvironment(state, redis);
  const service = await runService(fileHooks, { state, env, index: await smallIndex(), args: ['--threads', '1'] });
  return { ...service, keys: (...words) => runKeys(env, ...words) };
}

/** The environment of compose.yaml with addresses of this machine. */
function localEnvironment(state: string, redis: RedisServer): Record<string, string> {
  return {
    ...COMPOSE.services['toponym-1'].environment,
    TOPONYM_HOST: '127.0.0.1',
    TOPONYM_TRUSTED_PROXIES: '127.0.0.1',
    TOPONYM_METRICS_PORT: '0',
    TOPONYM_STATE: state,
    TOPONYM_REDIS: redis.url,
  };
}

/** Runs the health check of compose.yaml and returns its exit code. */
function healthOf({ port }: RedisServer): number | null {
  const [kind, command]: string[] = COMPOSE.services.redis.healthcheck.test;
  assert.equal(kind, 'CMD-SHELL');
  const local = (command ?? '').replace('valkey-cli', `redis-cli -p ${port}`);
  return spawnSync('sh', ['-c', local], { stdio: 'ignore' }).status;
}

/** Redis may hold back writes to its log while the disk is busy. */
async function untilWritten(redis: RedisServer): Promise<void> {
  await waitUntil('Redis has written its log', async () => (await redis.counter('aof_buffer_length')) === 0);
}

interface Proxy {
  readonly port: number;
  readonly ca: string;
}

/** Caddy with the Caddyfile of the example: only addresses are replaced. */
async function runCaddy([first, second]: Replicas): Promise<Proxy> {
  const folder = temporaryFolder(fileHooks);
  const port = await freePort();
  const config = readFileSync(join(FOLDER, 'Caddyfile'), 'utf8')
    .replace('toponym-1:8080', new URL(first.ready.url).host)
    .replace('toponym-2:8080', new URL(second.ready.url).host)
    // the machine must not trust the certificate authority of this test
    .replace('admin off', 'admin off\n\tskip_install_trust\n\tdefault_bind 127.0.0.1');
  writeFileSync(join(folder, 'Caddyfile'), config);
  const child = spawn(caddy.path, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, SITE: `localhost:${port}`, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const output = new OutputLines(child.stderr);
  fileHooks.after(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await output.contains('certificate obtained successfully');
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  await waitUntil('Caddy has its certificate', () => existsSync(authority));
  const proxy = { port, ca: readFileSync(authority, 'utf8') };
  await waitUntil('Caddy answers', async () => (await callSite(proxy, '').catch(() => undefined))?.status === 401);
  return proxy;
}

async function callSite(
  { port, ca }: Proxy,
  key: string,
  { headers = {}, localAddress = '127.0.0.1' }: { headers?: Record<string, string>; localAddress?: string } = {},
): Promise<{ readonly status: number; readonly name: string | undefined }> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/api/1/query?query=alba',
    servername: 'localhost',
    method: 'POST',
    ca,
    localAddress,
    agent: false,
    headers: { host: `localhost:${port}`, 'x-service-key': key, ...headers },
  });
  sent.end();
  const [response] = await once(sent, 'response');
  const body = JSON.parse(await text(response));
  return { status: response.statusCode, name: body.hits?.[0]?.name };
}

let addresses = 0;

/** The status of a call from an address that has not called before. */
async function statusOf({ ready }: RunningService, key: string): Promise<number> {
  const client = `198.51.${addresses >> 8}.${addresses++ & 255}`;
  const response = await fetch(`${ready.url}/api/1/query?query=alba`, {
    method: 'POST',
    headers: { 'x-service-key': key, 'x-forwarded-for': client },
  });
  await response.text();
  return response.status;
}

/** On a busy machine, Redis may answer too late for the first call after a change of keys. */
async function untilStatus(replicas: readonly Replica[], key: string, status: number): Promise<void> {
  for (const replica of replicas) {
    await waitUntil(`a call gets ${status}`, async () => (await statusOf(replica, key)) === status);
  }
}

/** Number of successful searches in the log of a replica. */
function answersOf({ log }: RunningService): number {
  return log()
    .split('\n')
    .filter((line) => line.includes('/api/1/query') && line.includes('"status":200')).length;
}
