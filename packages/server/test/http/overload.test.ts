import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { withOverrides } from '../../../../test/support/an-engine.ts';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { anApp, appEngine, listen } from './an-app.ts';

const CLIENTS = 200;
const CALL_MS = 15;

test('with more work than time, calls that waited too long get 503 and others are answered; then all is well', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const search: typeof appEngine.search = (query) => {
    nowMs += CALL_MS; // an expensive search
    return appEngine.search(query);
  };
  const engine = withOverrides(appEngine, { search });
  const { app, key, post } = anApp(t, { engine: () => engine, cacheBytes: 0 }, { perMinute: 'unlimited' });
  const port = await listen(app);
  let accepted = 0;
  app.server.on('connection', () => accepted++);
  const clients = Array.from({ length: CLIENTS + 1 }, () => connect(port, '127.0.0.1'));
  await waitUntil('all clients are connected', () => accepted === clients.length);
  const close = 'Content-Length: 0\r\nConnection: close\r\n\r\n';
  const call = `POST /api/1/query?query=paris HTTP/1.1\r\nX-Service-Key: ${key}\r\n${close}`;
  const healthCheck = `GET /readyz HTTP/1.1\r\n${close}`;
  for (const [i, client] of clients.entries()) client.write(i === CLIENTS / 2 ? healthCheck : call);
  const responses = await Promise.all(clients.map((client) => text(client)));

  assert.match(responses[CLIENTS / 2] ?? '', /^HTTP\/1\.1 200 .*"ready"/s, 'health checks are not given up');
  const answered = responses.filter((response) => response.includes('"nbHits"')).length;
  const shed = responses.filter((response) => response.startsWith('HTTP/1.1 503 '));
  assert.equal(answered + shed.length, CLIENTS);
  assert.ok(shed.length > 0);
  assert.match(shed[0] ?? '', /retry-after: 1\r\n.*"code":"overloaded"/is);
  assert.ok(answered > 0);
  assert.equal((await post('query', 'query=paris')).statusCode, 200);
});
