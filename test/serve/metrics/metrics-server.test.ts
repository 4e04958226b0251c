import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Metric } from '../../../src/serve/metrics/metric.ts';
import { startMetricsServer } from '../../../src/serve/metrics/metrics-server.ts';
import { waitUntil } from '../../support/deadline.ts';

test('requests that arrive during a collection share its result', async (context) => {
  let collections = 0;
  const { promise: collected, resolve: release } = Promise.withResolvers<Metric[][]>();
  const collect = () => {
    collections++;
    return collected;
  };
  const server = await startMetricsServer(0, collect, pino({ level: 'silent' }));
  context.after(() => server.close());
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const request = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';
  socket.write(request.repeat(19) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await waitUntil('metrics are collected', () => collections > 0);
  release([]);
  assert.equal((await text(socket)).match(/HTTP\/1\.1 200 OK/g)?.length, 20);
  assert.equal(collections, 1);
});
