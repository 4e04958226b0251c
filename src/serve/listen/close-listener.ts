/**
 * Closes a listener without losing connections that the kernel has established and the thread has
 * not accepted yet. Closing at once would reset them, so the thread first accepts connections until
 * none has arrived for a while.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

// time without a new connection; those that a proxy opens together arrive within milliseconds
const QUIET_MS = 100;
// the listener closes after this time even if connections keep arriving
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
  // closes only the listener: close() of node:http would also close idle connections
  NetServer.prototype.close.call(server);
}
