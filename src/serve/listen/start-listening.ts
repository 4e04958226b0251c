import type { ListenOptions, Server } from 'node:net';

/** Resolves when the server listens; rejects if it cannot. */
export async function startListening(server: Server, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options, resolve);
  await promise;
  server.off('error', reject);
}
