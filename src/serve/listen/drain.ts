/**
 * Closes a listener without losing connections that the kernel has established and the thread has not accepted yet:
 * closing it resets those. So the thread goes on accepting until no connection has come for a moment.
 */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

// connections that proxies open at the same time come within a few milliseconds
const QUIET_MS = 100;
// the listener closes after this time even if connections keep arriving
const LIMIT_MS = 1000;
const POLL_MS = 10;

export async function closeListener(server: Server): Promise<void> {
  const startedMs = performance.now();
  let lastMs = startedMs;
  server.on('connection', () => {
    lastMs = performance.now();
  });
  for (;;) {
    await setTimeout(POLL_MS);
    // Node accepts between a timer and the next immediate: a thread that was busy sees now what has come meanwhile
    await setImmediate();
    const nowMs = performance.now();
    if (nowMs - lastMs >= QUIET_MS || nowMs - startedMs >= LIMIT_MS) break;
  }
  // the listener alone: http's own close() would also close idle connections
  NetServer.prototype.close.call(server);
}
