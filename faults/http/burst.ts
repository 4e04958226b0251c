/** Calls over new TLS connections that are all opened at once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import type { RunningService } from '../../test/support/running-service.ts';

/** Calls by status; 0 for connections that closed without a response. */
export type BurstResult = ReadonlyMap<number, number>;

/** Sends `calls` calls with a key, to each of the services in turn. */
export async function burst(services: readonly RunningService[], key: string, calls: number): Promise<BurstResult> {
  const targets = services.map(({ ready, state }) => ({
    port: Number(new URL(ready.url).port),
    context: createSecureContext({ ca: readFileSync(join(state, 'tls', 'cert.pem')) }),
  }));
  const statuses = await Promise.all(
    Array.from({ length: calls }, (_, i) => statusOf(targets[i % targets.length]!, key)),
  );
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** Resolves with 0 if the connection closes without a response. */
function statusOf({ port, context }: { port: number; context: SecureContext }, key: string): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port, secureContext: context });
  socket.write(
    `POST /api/1/query?query=par&hitsPerPage=1 HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Length: 0\r\n\r\n`,
  );
  return new Promise((resolve) => {
    socket.on('error', () => {}).once('close', () => resolve(0));
    socket.once('data', (head) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(head.toString('latin1'))?.[1] ?? 0));
      socket.destroy();
    });
  });
}
