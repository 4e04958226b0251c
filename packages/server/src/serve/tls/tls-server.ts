/**
 * An HTTPS server that responds to plain HTTP with a short 400. It must not redirect to HTTPS: the
 * client would not notice that it has sent its API key unencrypted.
 */
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { rawErrorResponse, sendAndClose } from '../../http/broken-request.ts';
import { RequestError } from '../../http/errors.ts';
import { HANDSHAKE_TIMEOUT_MS } from '../../http/timeouts.ts';
import { tcpSocketOf } from '../listen/open-connections.ts';

const REFUSAL =
  'This port speaks HTTPS, and the request was plain HTTP. Use the same address with https://. ' +
  'For a proxy that has the certificate, start the service with --behind-proxy.';
const TLS_HANDSHAKE = 0x16;

export function createTlsServer(options: ServerOptions): Server {
  // half open: a client may close its side and still read all responses, as without TLS
  const server = createServer({ handshakeTimeout: HANDSHAKE_TIMEOUT_MS, allowHalfOpen: true, ...options });
  // Node's own listeners
  const tlsListeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    void socket.remoteAddress; // Node keeps an address that was read: see `clientRefusal`
    const destroy = () => socket.destroy();
    socket.setTimeout(HANDSHAKE_TIMEOUT_MS, destroy);
    socket.once('error', destroy);
    socket.once('end', destroy);
    socket.once('data', (chunk: Buffer) => {
      socket.removeListener('end', destroy);
      socket.pause();
      if (chunk[0] !== TLS_HANDSHAKE) return refusePlainHttp(socket); // `destroy` still handles errors
      socket.setTimeout(0, destroy); // also removes the listener
      socket.removeListener('error', destroy);
      socket.unshift(chunk);
      for (const startTls of tlsListeners) startTls.call(server, socket);
    });
  });
  return server;
}

function refusePlainHttp(socket: Socket): void {
  sendAndClose(socket, rawErrorResponse(new RequestError('bad_request', REFUSAL)));
}

/** Explains a `tlsClientError`. Undefined if it has nothing to do with client certificates. */
export function clientRefusal(error: NodeJS.ErrnoException, socket: TLSSocket) {
  // a destroyed socket has lost its address, unlike the TCP socket below it: see `createTlsServer`
  const peer = socket.remoteAddress ?? tcpSocketOf(socket).remoteAddress;
  if (error.code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE')
    return { reason: 'no_client_certificate', peer } as const;
  // Node's type is wrong: this is a code of OpenSSL, such as CERT_HAS_EXPIRED, or null
  const detail = socket.authorizationError as unknown as string | null;
  return detail ? ({ reason: 'bad_client_certificate', peer, detail } as const) : undefined;
}
