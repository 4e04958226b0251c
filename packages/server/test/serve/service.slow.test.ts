/** The whole program: threads, TLS, keys and limits. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as requestHttps } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { runCommand } from '../../../../test/support/command.ts';
import { CALL_PAUSE_MS, waitUntil } from '../../../../test/support/deadline.ts';
import { PROGRAM } from '../../../../test/support/environment.ts';
import { smallIndex } from '../../../../test/support/index-version.ts';
import { createKey, refusedStart, runService, runSmallService } from '../../../../test/support/running-service.ts';
import { startInProcess } from '../../../../test/support/service-in-process.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';
import { ensureCertificate } from '../../src/serve/tls/certificate.ts';

test('a service with two threads', async (context) => {
  const service = await runService(context, {
    index: await worldIndex(),
    args: ['--threads', '2', '--log-level', 'debug'],
  });

  await context.test(
    'the borders of the world are loaded when it is first idle, before a call needs them',
    async () => {
      await service.logged('the borders of the world are loaded');
    },
  );

  await context.test('every thread serves the three endpoints over TLS', async () => {
    assert.equal(service.ready.pid, service.child.pid);
    const found = (await service.call('/api/1/query', { form: { query: 'paris' } })).json();
    assert.equal(found.hits[0].name, 'Paris');
    const record = (await service.call('/api/1/id', { form: { objectID: found.hits[0].objectID } })).json();
    assert.equal(record.country_code, 'fr');
    const nearest = (await service.call('/api/1/reverse?aroundLatLng=48.8566,2.3522')).json();
    assert.equal(nearest.hits.length, 20);
    for (let i = 0; i < 8; i++) assert.equal((await service.call('/readyz', { method: 'GET' })).status, 200);
    assert.equal((await service.call('/api/1/query', { key: 'wrong' })).status, 401);
  });

  await context.test('success and error responses have the same headers, and a correct Content-Length', async () => {
    for (const form of [{ query: 'zürich' }, { page: '1' }]) {
      const { headers, body } = await service.call('/api/1/query', { form });
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.match(String(headers['access-control-expose-headers']), /X-Request-Id$/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers.ratelimit), /^"default";r=\d+;t=\d+$/);
      assert.match(String(headers['content-type']), /^application\/(problem\+)?json/);
      assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
      assert.equal(headers['strict-transport-security'], undefined, 'the certificate is generated');
    }
  });

  await context.test(
    'a key created or revoked while the service runs takes effect at once, in every thread',
    async () => {
      const { id, key } = await createKey(service, ['--max-records', '3', '--per-minute', '1000']);
      for (let i = 0; i < 8; i++) {
        const response = await service.call('/api/1/reverse?aroundLatLng=0,0', { key });
        assert.equal(response.json().hits.length, 3);
      }
      assert.equal((await runCommand(['keys', 'revoke', id, '--state', service.state])).code, 0);
      for (let i = 0; i < 8; i++) {
        const response = await service.call('/api/1/reverse?aroundLatLng=0,0', { key });
        assert.equal(response.status, 403);
        assert.equal(response.json().code, 'key_revoked');
      }
      assert.ok(!service.log().includes(key.slice(4)), 'the key is not in the log');
    },
  );

  await context.test('a second server on the same port is refused with one sentence', async () => {
    const { port } = new URL(service.ready.url);
    const state = join(temporaryFolder(context), 'state');
    const second = await refusedStart(['--port', port, '--state', state, '--index', await smallIndex()]);
    assert.equal(second.code, 2);
    assert.match(
      second.stderr,
      /^toponym: 127\.0\.0\.1 port \d+ is in use by Toponym \S+, which serves already; stop that program, .*\n$/,
    );
  });

  await context.test('SIGTERM finishes a running request, closes idle connections and exits with 0', async () => {
    const agent = new Agent({ keepAlive: true });
    context.after(() => agent.destroy());
    await service.call('/healthz', { method: 'GET', agent });
    const running = requestHttps(new URL('/api/1/query', service.ready.url), {
      method: 'POST',
      rejectUnauthorized: false,
      agent: false,
      headers: {
        'x-service-key': service.key,
        'content-type': 'application/x-www-form-urlencoded',
        expect: '100-continue',
        'content-length': 11,
      },
    });
    running.flushHeaders();
    await once(running, 'continue');
    service.child.kill('SIGTERM');
    await untilRefused(service.ready.url);
    running.end('query=paris');
    const [response] = await once(running, 'response');
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers.connection, 'close');
    assert.equal(JSON.parse(await text(response)).hits[0].name, 'Paris');
    assert.deepEqual(await service.ended(), [0, null]);
  });
});

test('rate limits and metrics count calls across all threads, and a stop aborts a request that does not finish', async (context) => {
  const service = await startInProcess(context, { threads: 2, metricsPort: 0, drainSeconds: 0 });
  const statuses: number[] = [];
  for (let i = 0; i < 62; i++) statuses.push((await service.call('/api/1/id', { form: { objectID: 'G1' } })).status);
  assert.deepEqual(statuses, [...Array(60).fill(200), 429, 429]);
  const metrics = await (await fetch(service.metricsUrl ?? '')).text();
  assert.match(metrics, /^toponym_requests_total\{endpoint="id",status="200"\} 60$/m);
  assert.equal((await service.call('/metrics', { method: 'GET' })).status, 404, 'metrics have a separate port');

  const { key } = await createKey(service); // of the first one, the calls of this minute are used up
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', rejectUnauthorized: false });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  const head = `POST /api/1/query HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${key}\r\nContent-Length: 99\r\n`;
  socket.write(`${head}Expect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`);
  await once(socket, 'data');
  await service.drain();
  assert.match(service.log(), /requests still running were aborted/);
});

async function untilRefused(url: string): Promise<void> {
  const { port } = new URL(url);
  const isRefused = async () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once('secureConnect', () => resolve(false)).once('error', () => resolve(true));
    return await promise.finally(() => socket.destroy());
  };
  await waitUntil('connections are refused', isRefused, CALL_PAUSE_MS);
}

test('with few descriptors', async (context) => {
  // the threads themselves take more descriptors than other files do
  const program = ['sh', '-c', 'ulimit -n 360 && exec "$0" "$@"', process.execPath, PROGRAM];
  const service = await runSmallService(context, { program, args: ['--threads', '12'] });
  const open = (localAddress: string) => {
    const socket = connectTcp({ port: Number(new URL(service.ready.url).port), host: '127.0.0.1', localAddress });
    context.after(() => socket.destroy());
    return socket.on('error', () => {}).resume();
  };

  await context.test('one address cannot use them up: the idle connection of another one stays open', async () => {
    const other = open('127.0.0.2');
    await once(other, 'connect');
    const many = Array.from({ length: 400 }, () => open('127.0.0.1'));
    await waitUntil('connections of the address are closed', () => many.filter(({ closed }) => closed).length >= 300);
    assert.equal(other.closed, false);
    for (const socket of [...many, other]) socket.destroy();
  });

  await context.test('the connection idle for longest is closed, and the log says so', async () => {
    for (let i = 0; i < 480; i++) open(`127.0.${i >> 7}.${1 + (i & 127)}`);
    await service.logged('the limit of open files leaves no descriptor');
    assert.equal((await service.call('/api/1/query', { form: { query: 'paris' } })).status, 200);
  });
});

test('a setting that names a pipe is refused at the start', async (context) => {
  const folder = temporaryFolder(context);
  const pipe = join(folder, 'pipe');
  const { certPath, keyPath } = await ensureCertificate(folder, new Date());
  execFileSync('mkfifo', [pipe]);
  const settings: Record<string, string[]> = {
    certificate: ['--tls-cert', pipe, '--tls-key', keyPath],
    key: ['--tls-cert', certPath, '--tls-key', pipe],
    'client authorities': ['--tls-client-ca', pipe],
    'IP database': ['--ip-database', pipe],
    overlay: ['--overlay', pipe],
    'configuration file': ['--config', pipe],
  };
  for (const [what, args] of Object.entries(settings)) {
    const fixed = ['--json', '--state', join(folder, 'state'), '--index', await smallIndex(), '--threads', '1'];
    const { code, stderr } = await refusedStart([...fixed, ...args]);
    assert.equal(code, 2, what);
    assert.match(stderr, new RegExp(`${what} ${pipe} cannot be read: a pipe, not a file\\.`), what);
  }
});
