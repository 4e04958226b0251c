import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { monitorEventLoop } from '../../../src/serve/threads/event-loop-monitor.ts';
import { anApp, listen } from '../../http/an-app.ts';
import { waitUntil } from '../../support/deadline.ts';

/** Longer than the timer interval plus the delay that counts as late. */
const BLOCKED_MS = 700;

test('calls get 503 with Retry-After after the second long delay in a row, until the event loop recovers', async (t) => {
  const monitor = monitorEventLoop();
  const { app, key } = anApp(t, { isOverloaded: monitor.isOverloaded });
  const socket = connect(await listen(app), '127.0.0.1').setEncoding('latin1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const call = async ({ blockedMs = 0 } = {}): Promise<string> => {
    socket.write(`POST /api/1/query HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Length: 0\r\n\r\n`);
    // timers run before the server reads the call, so the monitor has seen the delay by then
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
    const [response] = await once(socket, 'data');
    return response;
  };
  assert.match(await call({ blockedMs: BLOCKED_MS }), /^HTTP\/1\.1 200 /, 'one delay is a pause');
  const shed = await call({ blockedMs: BLOCKED_MS });
  assert.match(shed, /^HTTP\/1\.1 503 /);
  assert.match(shed, /\r\nretry-after: 1\r\n/i);
  assert.match(shed, /"code":"overloaded"/);
  assert.ok(monitor.maxDelaySeconds() >= 0.5);
  await waitUntil('calls are accepted again', async () => (await call()).startsWith('HTTP/1.1 200 '));
});
