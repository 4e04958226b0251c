/**
 * CORS: any web page may call, because each key has its own list of allowed origins. The service
 * uses no cookies, so `*` is safe.
 */

const EXPOSED_HEADERS = [
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
  'access-control-expose-headers': EXPOSED_HEADERS,
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
