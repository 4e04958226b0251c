/**
 * CORS: any web page may call, because each key has its own list of allowed origins.
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

/** Headers of every response, errors included. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
} as const;

/** Headers of the response to a preflight, as a flat list. Browsers may cache it for a day. */
export function preflightHeaders(allow: string, keyHeader: string): string[] {
  return [
    ...['allow', allow],
    ...['access-control-allow-methods', allow],
    ...['access-control-allow-headers', `Accept, Content-Type, X-Request-Id, ${keyHeader}`],
    ...['access-control-max-age', '86400'],
  ];
}
