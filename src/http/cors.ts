/**
 * CORS headers. They let every web page call the service. Which pages may use a key is decided by
 * the key's own list of origins (admission.ts).
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

/** Headers of a preflight response: a flat list [name, value, …]. Browsers cache it for a day. */
export function preflightHeaders(allowedMethods: string, keyHeader: string): string[] {
  return Object.entries({
    allow: allowedMethods,
    'access-control-allow-methods': allowedMethods,
    'access-control-allow-headers': `Accept, Content-Type, X-Request-Id, ${keyHeader}`,
    'access-control-max-age': '86400',
  }).flat();
}
