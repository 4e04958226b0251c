/** Behaviour of hostile clients, as plain data. */

export type Attack = { readonly title: string; readonly connections: number } & (
  | { readonly kind: 'slow'; readonly perPacket: number }
  | { readonly kind: 'unread'; readonly requests: string }
  | { readonly kind: 'raw'; readonly bytes: Buffer }
);

export const ATTACKS = {
  slow: {
    title: '10 clients that repeatedly send their 60 slowest searches in one packet',
    kind: 'slow',
    connections: 10,
    perPacket: 60,
  },
  unread: {
    title: '450 clients that send 64 requests each and never read',
    kind: 'unread',
    connections: 450,
    requests: 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(64),
  },
  handshakes: {
    title: '2,000 clients that stop after six bytes of the TLS handshake',
    kind: 'raw',
    connections: 2000,
    bytes: Buffer.from([0x16, 3, 1, 2, 0, 1]),
  },
} as const satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;
