/** TLS options of the service, also used to check a certificate before it is served. */
import type { SecureContextOptions } from 'node:tls';

/** A certificate and its key, in PEM form. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export function secureContextOptions({ cert, key }: TlsPair): SecureContextOptions {
  return { minVersion: 'TLSv1.2', cert, key };
}
