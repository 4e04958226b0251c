/** A certificate authority for tests, and certificates that it signs. */
import { generate } from 'selfsigned';

export interface PemPair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly cert: string;
  /** A certificate for this machine. The chain is not included. */
  serverPair(): Promise<PemPair>;
  clientPair(options?: { readonly notAfterDate?: Date }): Promise<PemPair>;
}

const KEY_TYPE = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
const THIS_MACHINE = {
  name: 'subjectAltName',
  altNames: [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ],
} as const;
const DAY_MS = 86_400_000;

export async function createAuthority(name: string, dates: { readonly notAfterDate?: Date } = {}): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: name }], {
    ...KEY_TYPE,
    ...dates,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const ca = { key: made.private, cert: made.cert };
  const sign = async (commonName: string, options: Parameters<typeof generate>[1]): Promise<PemPair> => {
    const notBeforeDate = new Date(Date.now() - 2 * DAY_MS);
    const signed = await generate([{ name: 'commonName', value: commonName }], {
      ...KEY_TYPE,
      notBeforeDate,
      ...options,
      ca,
    });
    return { cert: signed.cert, key: signed.private };
  };
  return {
    cert: made.cert,
    serverPair: () =>
      sign('localhost', {
        extensions: [
          { name: 'basicConstraints', cA: false, critical: true },
          { name: 'extKeyUsage', serverAuth: true },
          { ...THIS_MACHINE, altNames: [...THIS_MACHINE.altNames] },
        ],
      }),
    clientPair: (options = {}) =>
      sign('a client', {
        ...options,
        extensions: [
          { name: 'basicConstraints', cA: false, critical: true },
          { name: 'extKeyUsage', clientAuth: true },
        ],
      }),
  };
}
