/** TLS options of the service. The same options validate a certificate and serve it. */
import type { SecureContextOptions } from 'node:tls';
import type { TlsPair } from '../threads/worker-messages.ts';

export const MIN_TLS_VERSION = 'TLSv1.2';

export function secureContextOptions({ cert, key }: TlsPair): SecureContextOptions {
  return { minVersion: MIN_TLS_VERSION, cert, key };
}
