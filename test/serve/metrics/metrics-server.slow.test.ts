import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { startMetricsServer } from '../../../src/serve/metrics/metrics-server.ts';
import { withDeadline } from '../../support/deadline.ts';

test('the metrics listener closes a connection that sends no request within seconds', async (context) => {
  const server = await startMetricsServer({
    host: '127.0.0.1',
    port: 0,
    collect: async () => [],
    health: { liveness: () => assert.fail(), readiness: () => assert.fail() },
    log: pino({ level: 'silent' }),
  });
  context.after(() => server.close());
  const startedMs = performance.now();
  const sockets = ['', 'GET /healthz HTTP/1.1\r\n'].map((bytes) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(bytes);
    return socket.resume();
  });
  await withDeadline('the connections are closed', Promise.all(sockets.map((socket) => once(socket, 'close'))));
  const seconds = (performance.now() - startedMs) / 1000;
  // 3 s on a quiet machine, so a busy one has 15 times as long; without the limit, Node.js closes them after 60 s
  assert.ok(seconds < 50, `${seconds} s`);
});
