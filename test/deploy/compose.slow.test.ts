/** Runs what compose.yaml describes, without containers: real Caddy and two real services. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { waitUntil } from '../support/deadline.ts';
import { debianProgram } from '../support/debian-package.ts';
import { freePort } from '../support/free-port.ts';
import { OutputLines } from '../support/output-lines.ts';
import { createKey, type RunningService, runService, runToponym } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FOLDER = fileURLToPath(new URL('../../deploy/compose', import.meta.url));
const REPLICA = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true }).services['toponym-1'];
const caddy = await debianProgram('caddy');

test('two replicas use the same keys', async (t) => {
  const [first, second] = await runReplicas(t);
  assert.equal(first.key, second.key);
  for (const replica of [first, second]) assert.equal(await statusOf(replica, first.key), 200);

  const { id, key } = await createKey(first);
  for (const replica of [first, second]) assert.equal(await statusOf(replica, key), 200);
  await runToponym(['keys', 'revoke', id, '--state', first.state]);
  for (const replica of [first, second]) assert.equal(await statusOf(replica, key), 403);

  first.child.kill('SIGKILL');
  await first.ended();
  const { key: later } = await createKey(second);
  assert.equal(await statusOf(second, later), 200);
});

test('Caddy serves HTTPS, and a stopping replica costs no call', { skip: caddy.skip }, async (t) => {
  const [first, second] = await runReplicas(t);
  const site = await runCaddy(t, [first, second]);
  const { key } = await createKey(first);
  const search = () => callSite(site, key);
  assert.deepEqual(await search(), { status: 200, name: 'Paris' });

  const [used, other] = hasServed(first) ? [first, second] : [second, first];
  used.child.kill('SIGTERM');
  const statuses = new Set<number>();
  const ended = used.ended();
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  while (isRunning) statuses.add((await search()).status);
  statuses.add((await search()).status);
  assert.deepEqual([...statuses], [200]);
  assert.deepEqual(await ended, [0, null]);
  assert.ok(hasServed(other));
});

test('the limit of calls counts clients, not Caddy, and cannot be evaded by a header', {
  skip: caddy.skip,
}, async (t) => {
  const [first, second] = await runReplicas(t);
  const site = await runCaddy(t, [first, second]);
  const statuses: number[] = [];
  for (let i = 0; i < 61; i++) {
    const headers = { 'x-forwarded-for': `192.0.2.${i}` };
    statuses.push((await callSite(site, first.key, { headers, localAddress: '127.0.0.9' })).status);
  }
  assert.deepEqual(statuses, [...new Array(60).fill(200), 429]);
  assert.equal((await callSite(site, first.key, { localAddress: '127.0.0.10' })).status, 200);
});

/** Two services with the environment of compose.yaml and one state folder, started at once. */
async function runReplicas(t: TestContext): Promise<readonly [RunningService, RunningService]> {
  const state = join(temporaryFolder(t), 'state');
  const env = {
    ...REPLICA.environment,
    TOPONYM_HOST: '127.0.0.1',
    TOPONYM_TRUSTED_PROXIES: '127.0.0.1',
    TOPONYM_METRICS_PORT: '0',
  };
  const start = () => runService(t, { state, env, args: ['--threads', '1'] });
  return await Promise.all([start(), start()]);
}

interface Site {
  readonly port: number;
  readonly ca: string;
}

/** Caddy with the Caddyfile of the example: only addresses are replaced. */
async function runCaddy(t: TestContext, [first, second]: readonly [RunningService, RunningService]): Promise<Site> {
  const folder = temporaryFolder(t);
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
  t.after(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await output.contains('certificate obtained successfully');
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
  await waitUntil('Caddy has its certificate', () => existsSync(authority));
  const site = { port, ca: readFileSync(authority, 'utf8') };
  await waitUntil('Caddy answers', async () => (await callSite(site, '').catch(() => undefined))?.status === 401);
  return site;
}

async function callSite(
  { port, ca }: Site,
  key: string,
  { headers = {}, localAddress = '127.0.0.1' }: { headers?: Record<string, string>; localAddress?: string } = {},
): Promise<{ readonly status: number; readonly name: string | undefined }> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/api/1/query?query=paris',
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

async function statusOf({ ready }: RunningService, key: string): Promise<number> {
  const response = await fetch(`${ready.url}/api/1/query?query=paris`, {
    method: 'POST',
    headers: { 'x-service-key': key },
  });
  await response.text();
  return response.status;
}

/** Whether the log of a replica has a successful search. */
function hasServed({ log }: RunningService): boolean {
  return log()
    .split('\n')
    .some((line) => line.includes('/api/1/query') && line.includes('"status":200'));
}
