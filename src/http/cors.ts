/**
 * Cross-origin use from browsers: any web page may call, because what protects a key is its own list of origins.
 * No cookies are involved, so `*` gives nothing away.
 */

const EXPOSED = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
].join(', ');

/** On every answer, errors included. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
} as const;

/** On the answer to a preflight; browsers may keep it for a day. */
export function preflightHeaders(allow: string, keyHeader: string): string[] {
  return [
    ...['allow', allow],
    ...['access-control-allow-methods', allow],
    ...['access-control-allow-headers', `Accept, Content-Type, X-Request-Id, ${keyHeader}`],
    ...['access-control-max-age', '86400'],
  ];
}
