import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { pino } from 'pino';
import { startMetricsServer } from '../../../src/serve/metrics/metrics-server.ts';

test('requests that come while metrics are collected share them', async (context) => {
  let collections = 0;
  const { promise: collected, resolve: release } = Promise.withResolvers<object[][]>();
  const collect = () => {
    collections++;
    return collected;
  };
  const server = await startMetricsServer(0, collect, pino({ level: 'silent' }));
  context.after(() => server.close());
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const request = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';
  socket.write(request.repeat(19) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  while (collections === 0) await nextTick();
  release([]);
  assert.equal((await text(socket)).match(/HTTP\/1\.1 200 OK/g)?.length, 20);
  assert.equal(collections, 1);
});
