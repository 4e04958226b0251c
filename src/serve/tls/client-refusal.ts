/** Why a client was refused in the TLS handshake, if its certificate is the reason. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

interface ClientRefusal {
  readonly reason: 'no_client_certificate' | 'bad_client_certificate';
  readonly peer: string | undefined;
  /** OpenSSL's code, such as CERT_HAS_EXPIRED. */
  readonly detail: string | undefined;
}

/** Explains a `tlsClientError`. Undefined if it has nothing to do with client certificates. */
export function clientRefusal(error: NodeJS.ErrnoException, socket: TLSSocket): ClientRefusal | undefined {
  // a destroyed socket has lost its address, unlike the TCP socket below it: see `createTlsServer`
  const { _parent: tcpSocket } = socket as unknown as { readonly _parent?: Socket };
  const peer = socket.remoteAddress ?? tcpSocket?.remoteAddress;
  if (error.code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE') {
    return { reason: 'no_client_certificate', peer, detail: undefined };
  }
  // Node's type is wrong: this is a code, or null
  const detail = socket.authorizationError as unknown as string | null;
  return detail ? { reason: 'bad_client_certificate', peer, detail } : undefined;
}
