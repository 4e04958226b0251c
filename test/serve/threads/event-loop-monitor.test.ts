import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { monitorEventLoop } from '../../../src/serve/threads/event-loop-monitor.ts';
import { anApp, listen } from '../../http/an-app.ts';
import { waitUntil } from '../../support/deadline.ts';

const INTERVAL_MS = 100;
const LONG_DELAY_MS = 600;

test('two long delays in a row are an overload, and one is not', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const monitor = monitorEventLoop();
  const isOverloadedAfter = (delayMs: number) => {
    nowMs += INTERVAL_MS + delayMs;
    t.mock.timers.tick(INTERVAL_MS);
    return monitor.isOverloaded();
  };
  assert.deepEqual([0, LONG_DELAY_MS, 0, LONG_DELAY_MS].map(isOverloadedAfter), [false, false, false, false]);
  assert.deepEqual([LONG_DELAY_MS, LONG_DELAY_MS, 0].map(isOverloadedAfter), [true, true, false]);
  assert.equal(monitor.maxDelaySeconds(), LONG_DELAY_MS / 1000);
  while (nowMs < 75_000) isOverloadedAfter(300);
  assert.equal(monitor.maxDelaySeconds(), 0.3, 'only the last minute counts');
});

test('calls get 503 with Retry-After while the event loop is overloaded, and are accepted afterwards', async (t) => {
  const monitor = monitorEventLoop();
  const { app, key } = anApp(t, { isOverloaded: monitor.isOverloaded });
  const socket = connect(await listen(app), '127.0.0.1').setEncoding('latin1');
  t.after(() => socket.destroy());
  const send = () =>
    socket.write(`POST /api/1/query HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Length: 0\r\n\r\n`);
  const response = async (): Promise<string> => (await once(socket, 'data'))[0];
  send();
  await response();
  // the timers of a tick run before the server reads, so the monitor sees two delays before the call
  for (let i = 0; i < 2; i++) {
    blockEventLoop();
    await nextTick();
  }
  send();
  blockEventLoop();
  const shed = await response();
  assert.match(shed, /^HTTP\/1\.1 503 /);
  assert.match(shed, /\r\nretry-after: 1\r\n/i);
  assert.match(shed, /"code":"overloaded"/);
  await waitUntil('calls are accepted again', async () => {
    send();
    return (await response()).startsWith('HTTP/1.1 200 ');
  });
});

function blockEventLoop(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, INTERVAL_MS + LONG_DELAY_MS);
}
