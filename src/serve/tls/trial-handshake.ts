/**
 * A trial TLS handshake in memory. It finds errors that appear only when a client connects, such as
 * a certificate chain longer than clients accept.
 */
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { connect, type SecureContext, TLSSocket } from 'node:tls';

/** Rejects if the handshake fails. */
export async function tryHandshake(secureContext: SecureContext): Promise<void> {
  const [serverSide, clientSide] = duplexPair();
  const server = new TLSSocket(serverSide, { isServer: true, secureContext });
  const client = connect({ socket: clientSide, rejectUnauthorized: false });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  server.on('error', reject);
  client.on('close', () => reject(new Error('the handshake was cut off')));
  try {
    await Promise.race([once(client, 'secureConnect'), failed]);
  } finally {
    client.on('error', () => {}).destroy(); // an error without a listener would end the process
    server.destroy();
  }
}
