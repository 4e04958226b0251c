import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { UsageError } from 'toponym-files/errors/errors';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import type { ListenAddress } from '../../../src/serve/listen/listen-address.ts';
import type { Metric } from '../../../src/serve/metrics/metric.ts';
import {
  checkMetricsSettings,
  Health,
  type HealthSources,
  type MetricsServerOptions,
  type MetricsSettings,
  startMetricsServer,
} from '../../../src/serve/metrics/metrics-server.ts';

async function aMetricsServer(context: TestContext, options: Partial<MetricsServerOptions> = {}) {
  const server = await startMetricsServer({
    host: '127.0.0.1',
    port: 0,
    collect: async () => [],
    health: aHealth(),
    log: pino({ level: 'silent' }),
    ...options,
  });
  context.after(() => server.close());
  return server;
}

function aHealth(sources: Partial<HealthSources> = {}): Health {
  const health = new Health({
    isAnswering: async () => true,
    servedData: () => ['one', 'unknown'],
    notice: () => '',
    ...sources,
  });
  health.phase = 'serving';
  return health;
}

test('requests that arrive during a collection share its result', async (context) => {
  let collections = 0;
  const { promise: collected, resolve: release } = Promise.withResolvers<Metric[][]>();
  const collect = () => {
    collections++;
    return collected;
  };
  const server = await aMetricsServer(context, { collect });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const request = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';
  socket.write(request.repeat(19) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await waitUntil('metrics are collected', () => collections > 0);
  release([]);
  assert.equal((await text(socket)).match(/HTTP\/1\.1 200 OK/g)?.length, 20);
  assert.equal(collections, 1);
});

test('the health checks follow the phases of the service', async (context) => {
  const health = aHealth({ notice: () => 'index not reloaded' });
  const { url } = await aMetricsServer(context, { health });
  const responses = async () => {
    const both = await Promise.all(['/healthz', '/readyz'].map((path) => fetch(new URL(path, url))));
    return await Promise.all(both.map(async (response) => [response.status, JSON.parse(await response.text())]));
  };
  const [alive, ready] = await responses();
  assert.deepEqual(alive, [200, { status: 'alive' }]);
  assert.deepEqual(ready, [200, { status: 'ready', data: 'one, unknown', notice: 'index not reloaded' }]);
  for (const phase of ['starting', 'stopping'] as const) {
    health.phase = phase;
    const [healthz, readyz] = await responses();
    assert.equal(healthz?.[0], 200, phase);
    assert.equal(readyz?.[0], 503, phase);
    assert.equal(readyz?.[1].code, 'not_ready');
  }
});

test('a service whose threads do not answer is neither alive nor ready', async (context) => {
  const { url } = await aMetricsServer(context, { health: aHealth({ isAnswering: async () => false }) });
  for (const path of ['/healthz', '/readyz']) {
    const response = await fetch(new URL(path, url));
    assert.equal(response.status, 503);
    assert.match(await response.text(), /"no thread answers"/);
  }
});

test('other paths are 404, other methods 405', async (context) => {
  const { url } = await aMetricsServer(context);
  assert.equal((await fetch(new URL('/constructor', url))).status, 404);
  assert.equal((await fetch(url, { method: 'POST' })).status, 405);
});

for (const [name, request] of Object.entries({
  idle: '',
  'waiting for a response': 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n',
})) {
  test(`many connections that are ${name} do not keep health checks out`, async (context) => {
    const { url } = await aMetricsServer(context, { collect: () => new Promise(() => {}) });
    const sockets = Array.from({ length: 250 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    context.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) socket.on('error', () => {}).write(request);
    const closed = () => sockets.filter((socket) => socket.closed).length;
    for (const socket of sockets) socket.resume();
    await waitUntil('connections beyond the limit are closed', () => closed() >= 50);
    for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(new URL(path, url))).status, 200, path);
  });
}

test('a connection with a recent request outlives older idle ones', async (context) => {
  const { url } = await aMetricsServer(context);
  const open = () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    context.after(() => socket.destroy());
    return socket.on('error', () => {}).resume();
  };
  const first = open();
  const others = Array.from({ length: 199 }, open);
  await Promise.all([first, ...others].map((socket) => once(socket, 'connect')));
  first.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitUntil('the first connection has its response', () => first.bytesRead > 0);
  open();
  await waitUntil('another connection is closed', () => others.some((socket) => socket.closed));
  assert.equal(first.closed, false);
});

test('the listener has the address of its setting, and a wrong one is refused by name', async (context) => {
  const everywhere = await aMetricsServer(context, { host: '0.0.0.0' });
  assert.match(everywhere.url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const other = await aMetricsServer(context, { host: '127.0.0.3' });
  assert.match(other.url, /^http:\/\/127\.0\.0\.3:/);
  await assert.rejects(
    aMetricsServer(context, { host: '192.0.2.1' }),
    new UsageError(
      '192.0.2.1 port 0: this machine does not have that address; choose another address with --metrics-host.',
    ),
  );
  const port = Number(new URL(other.url).port);
  await assert.rejects(
    aMetricsServer(context, { host: '127.0.0.3', port }),
    new UsageError(
      `127.0.0.3 port ${port} is in use by another program; stop that program, or choose another port with --metrics-port (0 picks a free one).`,
    ),
  );
});

/** The warnings that the settings cause. The service listens on 127.0.0.1 port 8443. */
function warningsOf(settings: Partial<MetricsSettings>, service: Partial<ListenAddress> = {}): string[] {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  checkMetricsSettings(
    { kind: 'tcp', host: '127.0.0.1', port: 8443, ...service } as ListenAddress,
    { metricsPort: undefined, metricsHost: '127.0.0.1', ...settings },
    log as Parameters<typeof checkMetricsSettings>[2],
  );
  return warnings;
}

test('an address for metrics without a port causes a warning', () => {
  assert.deepEqual(warningsOf({ metricsHost: '0.0.0.0' }), [
    '--metrics-host 0.0.0.0 has no effect: set --metrics-port to turn on the metrics listener',
  ]);
  assert.deepEqual(warningsOf({}), []);
  assert.deepEqual(warningsOf({ metricsHost: '0.0.0.0', metricsPort: 9464 }), []);
});

test('the metrics listener and the service need different ports on one address', () => {
  const refusal = new UsageError(
    '--metrics-port 8443 is also the --port of the service on 127.0.0.1: choose another port for one of them (0 picks a free one).',
  );
  for (const metricsHost of ['127.0.0.1', '0.0.0.0', '::'])
    assert.throws(() => warningsOf({ metricsPort: 8443, metricsHost }), refusal);
  assert.throws(() => warningsOf({ metricsPort: 8443 }, { host: '0.0.0.0' }), UsageError);
  assert.deepEqual(warningsOf({ metricsPort: 8443, metricsHost: '127.0.0.2' }), []);
  assert.deepEqual(warningsOf({ metricsPort: 0 }, { port: 0 }), []);
  assert.deepEqual(warningsOf({ metricsPort: 8443 }, { kind: 'unix', path: '/run/toponym.sock', mode: 0o660 }), []);
});
