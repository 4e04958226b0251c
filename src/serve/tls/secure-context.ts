/** TLS options of the service, also used to check a certificate before it is served. */
import type { SecureContextOptions } from 'node:tls';

/** A certificate and its key, in PEM form. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

interface TlsMaterial extends TlsPair {
  /** Certificates of the authorities that sign client certificates; undefined if none are asked for. */
  readonly clientAuthorities?: string | undefined;
}

export function secureContextOptions({ cert, key, clientAuthorities }: TlsMaterial): SecureContextOptions {
  return { minVersion: 'TLSv1.2', cert, key, ...(clientAuthorities !== undefined && { ca: clientAuthorities }) };
}
