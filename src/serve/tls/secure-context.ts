/** TLS options of the service. The same options validate a certificate and serve it. */
import type { SecureContextOptions } from 'node:tls';
import type { TlsPair } from '../threads/worker-messages.ts';

export function secureContextOptions({ cert, key }: TlsPair): SecureContextOptions {
  return { minVersion: 'TLSv1.2', cert, key };
}
