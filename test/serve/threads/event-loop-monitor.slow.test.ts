import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { monitorEventLoop } from '../../../src/serve/threads/event-loop-monitor.ts';
import { anApp, listen } from '../../http/an-app.ts';
import { waitUntil } from '../../support/deadline.ts';

/** Longer than the timer interval plus the delay that counts as late. */
const BLOCKED_MS = 700;

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
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
}
