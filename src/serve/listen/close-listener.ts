/** Closes a listener without resetting connections that the thread has not accepted yet. */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

// connections that a proxy opens together arrive within milliseconds
const QUIET_MS = 100;
const MAX_WAIT_MS = 1000;
const POLL_MS = 10;

export async function closeListener(server: Server): Promise<void> {
  const startedMs = performance.now();
  let lastConnectionMs = startedMs;
  server.on('connection', () => {
    lastConnectionMs = performance.now();
  });
  for (;;) {
    await setTimeout(POLL_MS);
    // Node accepts waiting connections before its immediates, so `lastConnectionMs` is current
    await setImmediate();
    const nowMs = performance.now();
    if (nowMs - lastConnectionMs >= QUIET_MS || nowMs - startedMs >= MAX_WAIT_MS) break;
  }
  // close() of node:http would also close idle connections
  NetServer.prototype.close.call(server);
}
